// What metrics are made of.
#pragma once

#include <string>

#include "client/metrics/metrics.h"

namespace plumb::metrics {

inline Output AsFloat(Output value) { return AsType(value, DType::kFloat); }
// The name of a metric's scope.
inline std::string NameOr(const MetricOptions& options, const char* name) {
  return options.name.empty() ? name : options.name;
}
// A local variable of zeros, "SCOPE/name".
Variable Count(Scope& scope, const std::string& name, const Shape& shape = {}, DType dtype = DType::kFloat);
Output Added(Scope& scope, const Variable& variable, Output value);
// A vector of all elements, and their sum.
Output Flat(Scope& scope, Output value);
Output SumOfAll(Scope& scope, Output value);
// a / b, 0 where b is 0.
Output SafeQuotient(Scope& scope, Output a, Output b);

// Two values of one shape, after a last axis of size 1 that only one of them has is dropped.
struct Matched {
  Output labels, predictions;
};
Matched Match(Scope& scope, Output labels, Output predictions);
// The weights in float32, in the shape of `values`; ones where there are none.
Output Spread(Scope& scope, const std::optional<Output>& weights, Output values);

}  // namespace plumb::metrics
