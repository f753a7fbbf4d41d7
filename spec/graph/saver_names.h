// How a graph saves and restores its variables, as a MetaGraphDef says it (rule Z61).
#pragma once

#include <optional>
#include <string>

#include "spec/graph/graph_def.h"

namespace plumb {

struct SaverNames {
  std::string prefix;   // the tensor that a checkpoint's prefix is fed to
  std::string save;     // the tensor whose fetch saves
  std::string restore;  // the node that restores
};

// What a MetaGraphDef's file says, binary or text; else the names that savers take by themselves, where the graph has
// such nodes. Nothing where there is neither.
std::optional<SaverNames> LoadSaverNames(const std::string& path, const GraphDef& graph);

}  // namespace plumb
