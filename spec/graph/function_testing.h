// For tests: function libraries, written down briefly.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spec/graph/function_def.h"

namespace plumb {

// A function with a signature in the notation of the catalogue: "Twice(x: T) -> (y: T)".
inline FunctionDef MakeFunction(const char* signature, const char* attrs, std::vector<NodeDef> nodes,
                                std::map<std::string, std::string> results,
                                std::map<std::string, std::string> control_results = {}) {
  FunctionDef function;
  function.signature = ParseOpRow({.signature = signature, .attrs = attrs, .kind = OpKind::kCall});
  function.nodes = std::move(nodes);
  function.results = std::move(results);
  function.control_results = std::move(control_results);
  return function;
}

inline NodeDef MakeNode(std::string name, std::string op, std::vector<std::string> inputs = {}, AttrMap attrs = {}) {
  NodeDef node;
  node.name = std::move(name);
  node.op = std::move(op);
  node.inputs = std::move(inputs);
  node.attrs = std::move(attrs);
  return node;
}
inline NodeDef MakeConst(std::string name, Tensor value, std::vector<std::string> controls = {}) {
  const DType dtype = value.dtype();
  return MakeNode(std::move(name), "Const", std::move(controls), {{"value", std::move(value)}, {"dtype", dtype}});
}
inline AttrMap FloatType() { return {{"T", DType::kFloat}}; }

// A reference to a function, with bindings.
inline FunctionRef Ref(std::string name, const AttrMap& bindings = {}) {
  return {std::move(name), bindings.empty() ? nullptr : std::make_shared<const AttrMap>(bindings)};
}

inline GraphDef MakeGraph(std::vector<NodeDef> nodes, std::vector<FunctionDef> functions = {},
                          std::map<std::string, std::string> gradients = {}) {
  GraphDef graph;
  graph.versions.producer = kGraphVersion;
  graph.nodes = std::move(nodes);
  FunctionLibraryDef library;
  library.functions = std::move(functions);
  library.gradients = std::move(gradients);
  graph.library = SerializeFunctionLibrary(library);
  return graph;
}

}  // namespace plumb
