// The MetaGraphDef that stands beside a checkpoint, from which a program goes on that never built the graph.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/graph/meta_graph.h"

namespace plumb {

// Which part of a larger tensor a variable is: the tensor's name in checkpoints and its shape, and along each axis
// where the part begins and how long it is.
struct SliceExtents {
  std::string whole;
  std::vector<int64_t> shape, offset, lengths;
};

// A reference variable by its names: tensors, but for the node that initialises it.
struct VariableNames {
  std::string variable, initializer, snapshot, initial_value;
  bool trainable = true;
  std::optional<SliceExtents> slice = {};
};

struct SavedProgram {
  GraphDef graph;
  SaverNodes saver;
  int max_to_keep = 5;
  double keep_every_n_hours = 10000;
  bool sharded = false;
  std::vector<VariableNames> variables, local_variables;
  std::vector<QueueRunnerNodes> queue_runners;
};

// Bytes of a MetaGraphDef with the collections "variables", "trainable_variables", "local_variables" and
// "queue_runners", those that hold something. Equal programs give equal bytes.
std::string SerializeMetaGraph(const SavedProgram& program);

}  // namespace plumb
