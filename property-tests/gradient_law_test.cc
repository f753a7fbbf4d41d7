// Law: a gradient graph gives the derivative that forward-mode differentiation of the reference gives exactly.
#include <rapidcheck.h>

#include "client/gradients.h"
#include "conformance/compare/derivative.h"
#include "conformance/compare/elements.h"
#include "property-tests/law.h"
#include "property-tests/random_control_flow.h"

namespace plumb::property {
namespace {

std::vector<double> RandomDirection(Tape& tape, int64_t elements) {
  std::vector<double> direction;
  for (int64_t i = 0; i < elements; ++i) direction.push_back(1 + tape.Below(3));
  return direction;
}

// Σᵢ gradientᵢ·directionᵢ of each input equals the derivative of Σ results along that direction. The limit is the error
// bound of the gradient graph, once for it and once for the forward derivative, whose steps round alike.
void CheckGradients(const GraphDef& graph, const std::vector<conformance::Direction>& feeds, const std::string& total,
                    const std::vector<std::string>& gradients) {
  std::vector<std::string> fetches = {total};
  fetches.insert(fetches.end(), gradients.begin(), gradients.end());
  const std::vector<conformance::Derivative> derivatives = conformance::DerivativesAlong(graph, feeds, fetches);
  double reverse = 0, limit = 0;
  for (size_t i = 0; i < gradients.size(); ++i) {
    const std::vector<double> gradient = conformance::ToDoubles(derivatives[i + 1].value);
    for (size_t k = 0; k < gradient.size(); ++k) {
      reverse += gradient[k] * feeds[i].direction[k];
      limit += 2 * derivatives[i + 1].bound[k] * std::abs(feeds[i].direction[k]);
    }
  }
  const double forward = derivatives[0].along[0];
  limit += conformance::Spacing(DType::kDouble, reverse) + conformance::Spacing(DType::kDouble, forward);
  RC_LOG() << "reverse " << reverse << ", forward " << forward << ", limit " << limit << "\n";
  RC_CLASSIFY(forward != 0, "not zero");
  RC_ASSERT(std::abs(reverse - forward) <= limit);
}

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
  CheckGradients(described.graph, feeds, total.name(), names);
}

}  // namespace
}  // namespace plumb::property
