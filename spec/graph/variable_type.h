// What is known before the run of the variable behind a resource handle.
#pragma once

#include <optional>

#include "spec/graph/graph.h"
#include "spec/ops/op_def.h"

namespace plumb {

// The output that a handle was at first, before ops that only forward it.
Endpoint SourceOfHandle(const Graph& graph, Endpoint handle);

// Follows the handle back to the VarHandleOp that made it; nothing when another op did.
std::optional<VariableType> FindVariableType(const Graph& graph, Endpoint handle);

}  // namespace plumb
