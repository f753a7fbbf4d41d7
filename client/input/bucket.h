// Batches of examples that are about equally long, so that padding wastes little.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/input/batch.h"

namespace plumb {

struct BucketOptions {
  std::vector<int64_t> batch_sizes;  // one for all buckets, or one for each
  int num_threads = 1;
  int64_t capacity = 32;  // batches that are ready, and examples that wait in each bucket
  std::vector<PartialShape> shapes = {};
  bool dynamic_pad = false;
  bool allow_smaller_final_batch = false;
  std::optional<Output> keep_input = {};  // a bool scalar
  std::string shared_name = {};
  std::string name = {};
};

struct Bucketed {
  Output bucket;  // which one the batch is from: an int32 scalar
  Example batch;
};
// Each example goes to the bucket that `which` says, an int32 scalar in [0, num_buckets), and none for another number;
// a bucket that holds a batch gives one. kInvalidArgument as for Batch.
Bucketed Bucket(Scope& scope, const Example& example, Output which, int num_buckets, const BucketOptions& options);

struct BucketedByLength {
  Output lengths;  // [batch], int32
  Example batch;
};
// Of lengths (int32 scalars) below boundaries[0], from there to below boundaries[1], …, and from the last one on.
// kInvalidArgument for boundaries that do not grow.
BucketedByLength BucketBySequenceLength(Scope& scope, Output length, const Example& example,
                                        const std::vector<int32_t>& boundaries, const BucketOptions& options);

}  // namespace plumb
