// Queues that hold the rows of a tensor, epoch after epoch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/input/queue.h"

namespace plumb {

struct ProducerOptions {
  std::optional<int64_t> num_epochs = {};  // counted by the local variable "…/limit_epochs/epochs"; none: for ever
  bool shuffle = true;                     // each epoch in an order of its own
  int64_t seed = 0;                        // of the order, which 0 and any other number make the same in each run
  int64_t capacity = 32;
  std::string shared_name = {};
  std::string name = {};  // of its scope; TensorFlow's
};

// A queue of the rows of `rows`, of known shape but for the first axis. kInvalidArgument for a scalar, a shape that is
// not known, and no epochs.
Queue InputProducer(Scope& scope, Output rows, const ProducerOptions& options = {});
// Of strings, such as names of files. kInvalidArgument for none.
Queue StringInputProducer(Scope& scope, const std::vector<std::string>& strings, const ProducerOptions& options = {});
// Of a vector of strings; a step that would begin an epoch ends with kInvalidArgument where it is empty.
Queue StringInputProducer(Scope& scope, Output strings, const ProducerOptions& options = {});
// The sorted names of the files that match one of the patterns when local variables are initialised: a vector, which a
// local variable keeps.
Output MatchFilenamesOnce(Scope& scope, const std::vector<std::string>& patterns,
                          const std::string& name = "matching_filenames");
// Of the numbers from 0 up to `limit`, an int32 scalar.
Queue RangeInputProducer(Scope& scope, Output limit, const ProducerOptions& options = {});
// One row of each tensor with each step, all of them the same row; the tensors are equally long.
std::vector<Output> SliceInputProducer(Scope& scope, const std::vector<Output>& tensors,
                                       const ProducerOptions& options = {});

}  // namespace plumb
