// How a graph saves and restores its variables, as a MetaGraphDef says it (rule Z61).
#pragma once

#include <optional>

#include "spec/graph/meta_graph.h"

namespace plumb {

// What the meta graph says; else the names that savers take by themselves, where the graph has such nodes. Nothing
// where there is neither.
std::optional<SaverNodes> SaverOf(const MetaGraph& meta);

}  // namespace plumb
