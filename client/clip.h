// Keeping values, and gradients above all, within bounds.
#pragma once

#include <span>
#include <vector>

#include "client/scope.h"
#include "spec/ops/gradient.h"

namespace plumb {

// Each element into [low, high].
Output ClipByValue(Scope& scope, Output value, double low, double high);
// Scaled down so that the L2 norm is at most `norm`: over all, or over `axes`; over no axis each number has its own.
Output ClipByNorm(Scope& scope, Output value, double norm);
Output ClipByNorm(Scope& scope, Output value, double norm, const std::vector<int32_t>& axes);

// The L2 norm of all values taken as one long vector; those that are nothing do not count. At least one must be there.
Output GlobalNorm(Scope& scope, std::span<const GradientValue> values);
// All values scaled by one factor so that their global norm is at most `norm`. NaN when it is not finite.
std::vector<GradientValue> ClipByGlobalNorm(Scope& scope, std::span<const GradientValue> values, double norm);

}  // namespace plumb
