// Shapes of a whole graph before it runs. Sessions do not check them (rule T7); importing a graph into a client does.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "spec/core/shape.h"
#include "spec/graph/graph.h"
#include "spec/ops/op_def.h"

namespace plumb {

// What is known of each node's outputs, by the shape rules, constants, shape arithmetic and the bodies of functions
// (clause FN10). Throws kInvalidArgument, naming the node, where a rule refuses its inputs.
std::vector<std::vector<PartialShape>> InferGraphShapes(const Graph& graph);

// What is known of a value before the run.
struct KnownValue {
  PartialShape shape;
  const Tensor* value = nullptr;
  std::optional<VariableType> variable;  // where it is a handle
};
using CallShapeFn = std::function<std::vector<PartialShape>(const ShapeContext&)>;
// The shapes in the body of a function whose arguments are known to be `args`. `calls` says them for nodes that call
// functions. What a rule refuses stays unknown: it fails when it runs, if it does.
std::vector<std::vector<PartialShape>> InferBodyShapes(const Graph& body, const std::map<NodeId, KnownValue>& args,
                                                       const CallShapeFn& calls);

}  // namespace plumb
