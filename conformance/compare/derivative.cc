#include "conformance/compare/derivative.h"

#include <cmath>
#include <limits>

#include "conformance/compare/elements.h"
#include "reference/session.h"

namespace plumb::conformance {
namespace {

// The numbers that a tensor's elements consist of.
size_t Parts(const Tensor& tensor) {
  return static_cast<size_t>(tensor.elements()) * (IsComplex(tensor.dtype()) ? 2 : 1);
}

std::vector<double> Numbers(const reference::Sidecar& sidecar, const Tensor& tensor) {
  return sidecar == nullptr ? std::vector<double>(Parts(tensor), 0.0) : *sidecar;
}

void ThrowUnlessOk(const Status& status) {
  if (!status.ok()) throw Error(status);
}

}  // namespace

std::vector<Derivative> DerivativesAlong(const GraphDef& graph, const std::vector<Direction>& feeds,
                                         const std::vector<std::string>& fetches) {
  reference::ReferenceSession session;
  ThrowUnlessOk(session.Extend(graph));
  std::vector<reference::ValueFeed> values;
  for (const Direction& feed : feeds) {
    Require(feed.direction.size() == Parts(feed.value), "the direction of '", feed.feed, "' has ",
            feed.direction.size(), " numbers, and should have ", Parts(feed.value));
    values.emplace_back(
        feed.feed, reference::Value(feed.value, nullptr, std::make_shared<const std::vector<double>>(feed.direction)));
  }
  reference::Mode mode;
  mode.bounds = true;
  std::vector<reference::Value> outputs;
  ThrowUnlessOk(session.RunValues(values, fetches, {}, &outputs, mode));
  std::vector<Derivative> derivatives;
  for (const reference::Value& output : outputs) {
    derivatives.push_back(
        {output.tensor, Numbers(output.tangent, output.tensor), Numbers(output.bound, output.tensor)});
  }
  return derivatives;
}

bool GradientCheck::ok() const { return std::abs(reverse - forward) <= limit; }

GradientCheck CheckGradients(const GraphDef& graph, const std::vector<Direction>& feeds, const std::string& total,
                             const std::vector<std::string>& gradients) {
  std::vector<std::string> fetches = {total};
  fetches.insert(fetches.end(), gradients.begin(), gradients.end());
  const std::vector<Derivative> derivatives = DerivativesAlong(graph, feeds, fetches);
  GradientCheck check;
  double size = 0, terms = 0;  // of the sum that makes `reverse`
  check.forward = derivatives[0].along.at(0);
  for (size_t i = 0; i < gradients.size(); ++i) {
    const std::vector<double> gradient = ToDoubles(derivatives[i + 1].value);
    for (size_t k = 0; k < gradient.size(); ++k) {
      check.reverse += gradient[k] * feeds[i].direction[k];
      size += std::abs(gradient[k] * feeds[i].direction[k]);
      ++terms;
      check.limit += 2 * derivatives[i + 1].bound[k] * std::abs(feeds[i].direction[k]);
    }
  }
  check.limit += terms * std::numeric_limits<double>::epsilon() * size + Spacing(DType::kDouble, check.forward);
  return check;
}

}  // namespace plumb::conformance
