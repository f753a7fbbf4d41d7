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
};

// Variables take the tensors of their name. Throws kNotFound where the checkpoint has none of them, or is not there.
RestoringGraph NodesToRestore(const FileSystem& files, const GraphDef& graph, const std::string& prefix);

}  // namespace plumb
