// Variables in parts, each of which may live on another device.
#pragma once

#include <vector>

#include "client/named_variable.h"

namespace plumb {

struct PartitionedVariable {
  Shape shape;
  std::vector<Variable> parts;  // "NAME/part_0", …: the rows in order, cut evenly, the first ones one row longer

  std::vector<Output> values() const { return {parts.begin(), parts.end()}; }
};

// As a fixed_size_partitioner of TensorFlow 1.15 cuts it. Checkpoints hold it as one tensor under its name. Each part
// starts by the initializer for the part's own shape, with a seed of its own where the seed decides. kInvalidArgument
// for a scalar, and for less than one part or more parts than rows.
PartitionedVariable MakePartitionedVariable(Scope& scope, const NamedVariable& wanted, int64_t parts);

// All rows as one tensor.
Output Whole(Scope& scope, const PartitionedVariable& variable);

}  // namespace plumb
