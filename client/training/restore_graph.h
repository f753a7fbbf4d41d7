// Restores the variables of a graph that was built elsewhere and says nothing of checkpoints.
#pragma once

#include <string>
#include <vector>

#include "spec/files/file_system.h"
#include "spec/graph/graph_def.h"

namespace plumb {

struct RestoringGraph {
  GraphDef nodes;                    // to extend the session with
  std::string target;                // the node that restores
  std::vector<std::string> missing;  // variables that the checkpoint has not
  std::vector<std::string> misfits;  // what to tell of each tensor that the graph's parts of it do not make up
};

// Variables take the tensors of their name. Those that are the parts of a tensor, as "emb/part_0" and "emb/part_0/Adam"
// are of "emb" and "emb/Adam", take its slices one after the other, along the axis on which their shapes add up to its
// own. Throws kNotFound where the checkpoint has none of them, or is not there.
RestoringGraph NodesToRestore(const FileSystem& files, const GraphDef& graph, const std::string& prefix);

}  // namespace plumb
