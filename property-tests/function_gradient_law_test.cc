// Law: the gradient of a function is the derivative that forward-mode differentiation gives of what its body computes
// where it stands by itself (clause FN8).
#include "client/scope.h"
#include "property-tests/exact_derivatives.h"
#include "property-tests/generators/random_calls.h"
#include "property-tests/generators/random_control_flow.h"
#include "property-tests/generators/random_smooth_graph.h"
#include "property-tests/law.h"
#include "spec/graph/function_testing.h"

namespace plumb::property {
namespace {

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
      MakeNode("function_dy", "Const", {}, {{"dtype", DType::kDouble}, {"value", MakeScalar<double>(1)}}));
  inputs.push_back("function_dy");
  std::vector<DType> all = types;
  all.push_back(DType::kDouble);
  graph.nodes.push_back(MakeNode("function_gradient", "SymbolicGradient", inputs,
                                 {{"Tin", all}, {"Tout", types}, {"f", FunctionRef{"Computed", nullptr}}}));
  return graph;
}

void CheckFunctionDerivatives(Scope& scope, Tape& tape, const RandomProgram& program) {
  const Output total = TotalOf(scope, program);
  const auto directions = RandomDirections(tape, program.feeds);
  std::vector<std::string> names;
  for (size_t i = 0; i < program.feeds.size(); ++i) names.push_back(Str("function_gradient:", i));
  const GraphDef graph = WithGradients(tape, {scope.ToGraphDef(), program.feeds, {total.name()}, {}});
  CheckExactDerivatives(graph, program.feeds, directions, total.name(), names);
}

PLUMB_LAW(FunctionGradients, AreTheExactDerivativesOfAcyclicBodies) {
  Scope scope;
  CheckFunctionDerivatives(scope, tape, RandomSmoothGraph(scope, tape));
}

PLUMB_SLOW_LAW(FunctionGradients, AreTheExactDerivativesOfConditionalsAndLoops) {
  Scope scope;
  const RandomProgramOptions options = {
      .dtype = DType::kDouble, .max_depth = 2, .functions = Smoothness::kDifferentiable};
  CheckFunctionDerivatives(scope, tape, RandomControlFlow(scope, tape, options));
}

}  // namespace
}  // namespace plumb::property
