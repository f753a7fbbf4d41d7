#include "conformance/compare/derivative.h"

#include "reference/session.h"

namespace plumb::conformance {
namespace {

std::vector<double> Numbers(const reference::Sidecar& sidecar, int64_t elements) {
  return sidecar == nullptr ? std::vector<double>(static_cast<size_t>(elements), 0.0) : *sidecar;
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
    Require(static_cast<int64_t>(feed.direction.size()) == feed.value.elements(), "the direction of '", feed.feed,
            "' has ", feed.direction.size(), " numbers for ", feed.value.elements(), " elements");
    values.emplace_back(
        feed.feed, reference::Value(feed.value, nullptr, std::make_shared<const std::vector<double>>(feed.direction)));
  }
  reference::Mode mode;
  mode.bounds = true;
  std::vector<reference::Value> outputs;
  ThrowUnlessOk(session.RunValues(values, fetches, {}, &outputs, mode));
  std::vector<Derivative> derivatives;
  for (const reference::Value& output : outputs) {
    const int64_t elements = output.tensor.elements();
    derivatives.push_back({output.tensor, Numbers(output.tangent, elements), Numbers(output.bound, elements)});
  }
  return derivatives;
}

}  // namespace plumb::conformance
