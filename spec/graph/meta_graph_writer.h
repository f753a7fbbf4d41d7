// The MetaGraphDef that stands beside a checkpoint, from which a program goes on that never built the graph.
#pragma once

#include <string>
#include <vector>

#include "spec/graph/meta_graph.h"

namespace plumb {

// A reference variable by its names: tensors, but for the node that initialises it.
struct VariableNames {
  std::string variable, initializer, snapshot;
  bool trainable = true;
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
