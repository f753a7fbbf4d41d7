// Law: a gradient graph gives the derivative that forward-mode differentiation of the reference gives exactly.
#include "client/gradients.h"
#include "conformance/compare/derivative.h"
#include "property-tests/law.h"
#include "property-tests/random_control_flow.h"
#include "property-tests/random_smooth_graph.h"

namespace plumb::property {
namespace {

// The sum of the first result's elements.
void CheckDerivatives(Scope& scope, Tape& tape, const RandomProgram& program) {
  const Output flat = scope.Call("Reshape", {program.results[0], Constant<int32_t>(scope, {-1})});
  const Output total = scope.Call("Sum", {flat, Constant<int32_t>(scope, {0})});
  const std::vector<Output> gradients = DenseGradients({total}, program.inputs);
  std::vector<conformance::Direction> feeds;
  for (const Feed& feed : program.feeds) {
    feeds.push_back({feed.first, feed.second, RandomDirection(tape, feed.second.elements())});
  }
  std::vector<std::string> names;
  names.reserve(gradients.size());
  for (const Output& gradient : gradients) names.push_back(gradient.name());
  const RandomCase described{scope.ToGraphDef(), program.feeds, names, {}};
  const ToldIfBroken told([&] { return Describe(described); });
  const conformance::GradientCheck check = CheckGradients(described.graph, feeds, total.name(), names);
  RC_LOG() << "reverse " << check.reverse << ", forward " << check.forward << ", limit " << check.limit << "\n";
  RC_CLASSIFY(check.forward != 0, "not zero");
  RC_ASSERT(check.ok());
}

PLUMB_LAW(Gradients, AreTheExactDerivativesOfAcyclicGraphs) {
  Scope scope;
  CheckDerivatives(scope, tape, RandomSmoothGraph(scope, tape));
}

PLUMB_LAW(Gradients, AreTheExactDerivativesOfConditionalsAndLoops) {
  Scope scope;
  const RandomProgramOptions options = {
      .dtype = DType::kDouble, .max_depth = 2, .functions = Smoothness::kDifferentiable};
  CheckDerivatives(scope, tape, RandomControlFlow(scope, tape, options));
}

}  // namespace
}  // namespace plumb::property
