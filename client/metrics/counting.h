// What metrics are made of.
#pragma once

#include <string>

#include "client/dimensions.h"
#include "client/metrics/metrics.h"
#include "client/weights.h"

namespace plumb::metrics {

// The name of a metric's scope.
inline std::string NameOr(const MetricOptions& options, const char* name) {
  return options.name.empty() ? name : options.name;
}
// A local variable of zeros, "SCOPE/name".
Variable Count(Scope& scope, const std::string& name, const Shape& shape = {}, DType dtype = DType::kFloat);
Output Added(Scope& scope, const Variable& variable, Output value);

// Two values of one shape, after a last axis of size 1 that only one of them has is dropped.
struct Matched {
  Output labels, predictions;
};
Matched Match(Scope& scope, Output labels, Output predictions);
// The weights in float32, broadcast to the shape of `values`; ones where there are none.
Output WeightsOf(Scope& scope, const std::optional<Output>& weights, Output values);

}  // namespace plumb::metrics
