// Batches of examples, which threads read ahead.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/scope.h"

namespace plumb {

using Example = std::vector<Output>;  // its components

struct BatchOptions {
  int64_t batch_size = 1;
  int num_threads = 1;  // that read at the same time; with more than one the order is not known
  int64_t capacity = 32;
  bool enqueue_many = false;              // components are rows of examples already
  std::vector<PartialShape> shapes = {};  // of an example's components; none: theirs
  bool dynamic_pad = false;               // shorter components are filled up with zeros to the longest of their batch
  bool allow_smaller_final_batch = false;
  // Whether to keep an example: a bool scalar, or with enqueue_many one for each row. None: all.
  std::optional<Output> keep_input = {};
  std::string shared_name = {};
  std::string name = {};
};
struct ShuffleOptions {
  int64_t min_after_dequeue = 0;  // examples from which the next is drawn, less than the capacity
  int64_t seed = 0;               // of the order, which 0 and any other number make the same in each run
};

// Components [batch_size, …]. kInvalidArgument for shapes that are not known (unless dynamic_pad knows the ranks), and
// sizes that are not positive.
Example Batch(Scope& scope, const Example& example, const BatchOptions& options);
// From several sources, each read by a thread of its own.
Example BatchJoin(Scope& scope, const std::vector<Example>& examples, const BatchOptions& options);
// In a random order.
Example ShuffleBatch(Scope& scope, const Example& example, const BatchOptions& options, const ShuffleOptions& shuffle);
Example ShuffleBatchJoin(Scope& scope, const std::vector<Example>& examples, const BatchOptions& options,
                         const ShuffleOptions& shuffle);
// Those of `keep_input`, as Batch with it set.
Example MaybeBatch(Scope& scope, const Example& example, Output keep_input, BatchOptions options);

}  // namespace plumb
