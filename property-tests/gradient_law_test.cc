// Law: a gradient graph gives the derivative that forward-mode differentiation of the reference gives exactly.
#include <rapidcheck.h>

#include "client/gradients.h"
#include "conformance/compare/derivative.h"
#include "property-tests/law.h"
#include "property-tests/random_control_flow.h"

namespace plumb::property {
namespace {

PLUMB_LAW(Gradients, AreTheExactDerivativesOfConditionalsAndLoops) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(scope, tape, {.dtype = DType::kDouble, .max_depth = 2});
  Output total = scope.Call("Sum", {program.results[0], Constant<int32_t>(scope, {0})});
  const std::vector<Output> gradients = DenseGradients({total}, program.inputs);
  std::vector<conformance::Direction> feeds;
  for (const Feed& feed : program.feeds) {
    feeds.push_back({feed.first, feed.second, RandomDirection(tape, feed.second.elements())});
  }
  std::vector<std::string> names;
  names.reserve(gradients.size());
  for (const Output& gradient : gradients) names.push_back(gradient.name());
  RandomCase described{scope.ToGraphDef(), program.feeds, names, {}};
  RC_LOG() << Describe(described);
  const conformance::GradientCheck check = CheckGradients(described.graph, feeds, total.name(), names);
  RC_LOG() << "reverse " << check.reverse << ", forward " << check.forward << ", limit " << check.limit << "\n";
  RC_CLASSIFY(check.forward != 0, "not zero");
  RC_ASSERT(check.ok());
}

}  // namespace
}  // namespace plumb::property
