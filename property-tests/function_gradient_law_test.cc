// Law: the gradient of a function is the derivative that forward-mode differentiation gives of what its body computes
// where it stands by itself (clause FN8).
#include "client/scope.h"
#include "conformance/compare/derivative.h"
#include "property-tests/law.h"
#include "property-tests/random_calls.h"
#include "property-tests/random_control_flow.h"
#include "property-tests/random_smooth_graph.h"

namespace plumb::property {
namespace {

NodeDef NodeOf(std::string name, std::string op, std::vector<std::string> inputs, AttrMap attrs) {
  NodeDef node;
  node.name = std::move(name);
  node.op = std::move(op);
  node.inputs = std::move(inputs);
  node.attrs = std::move(attrs);
  return node;
}

// The graph of `plain`, and beside it the gradients of the same as a function: "function_gradient:i" by feed i.
GraphDef WithGradients(Tape& tape, const RandomCase& plain) {
  GraphDef graph = plain.graph;
  graph.library = InFunction(tape, plain).graph.library;
  std::vector<std::string> inputs;
  std::vector<DType> types;
  for (const Feed& feed : plain.feeds) {
    inputs.push_back(feed.first);
    types.push_back(feed.second.dtype());
  }
  graph.nodes.push_back(
      NodeOf("function_dy", "Const", {}, {{"dtype", DType::kDouble}, {"value", MakeScalar<double>(1)}}));
  inputs.push_back("function_dy");
  std::vector<DType> all = types;
  all.push_back(DType::kDouble);
  graph.nodes.push_back(NodeOf("function_gradient", "SymbolicGradient", inputs,
                               {{"Tin", all}, {"Tout", types}, {"f", FunctionRef{"Computed", nullptr}}}));
  return graph;
}

// Of the sum of the first result's elements.
void CheckFunctionDerivatives(Scope& scope, Tape& tape, const RandomProgram& program) {
  const Output flat = scope.Call("Reshape", {program.results[0], Constant<int32_t>(scope, {-1})});
  const Output total = scope.Call("Sum", {flat, Constant<int32_t>(scope, {0})});
  std::vector<conformance::Direction> feeds;
  std::vector<std::string> names;
  for (const Feed& feed : program.feeds) {
    feeds.push_back({feed.first, feed.second, RandomDirection(tape, feed.second.elements())});
    names.push_back(Str("function_gradient:", names.size()));
  }
  const GraphDef graph = WithGradients(tape, {scope.ToGraphDef(), program.feeds, {total.name()}, {}});
  const RandomCase described{graph, program.feeds, names, {}};
  const ToldIfBroken told([&] { return Describe(described); });
  const conformance::GradientCheck check = CheckGradients(graph, feeds, total.name(), names);
  RC_LOG() << "reverse " << check.reverse << ", forward " << check.forward << ", limit " << check.limit << "\n";
  RC_CLASSIFY(check.forward != 0, "not zero");
  RC_ASSERT(check.ok());
}

PLUMB_LAW(FunctionGradients, AreTheExactDerivativesOfAcyclicBodies) {
  Scope scope;
  CheckFunctionDerivatives(scope, tape, RandomSmoothGraph(scope, tape));
}

PLUMB_LAW(FunctionGradients, AreTheExactDerivativesOfConditionalsAndLoops) {
  Scope scope;
  const RandomProgramOptions options = {
      .dtype = DType::kDouble, .max_depth = 2, .functions = Smoothness::kDifferentiable};
  CheckFunctionDerivatives(scope, tape, RandomControlFlow(scope, tape, options));
}

}  // namespace
}  // namespace plumb::property
