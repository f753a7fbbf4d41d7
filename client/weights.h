// Weights of losses and of values that metrics count.
#pragma once

#include "client/scope.h"

namespace plumb {

inline Output AsFloat(Output value) { return AsType(value, DType::kFloat); }

// Throws kInvalidArgument for weights that do not broadcast to `values` as TensorFlow's losses and metrics let them:
// they are a scalar, or have as many axes, each of equal size or 1. `what` says what the values are.
void CheckWeights(Output weights, Output values, const char* what);
// Weights in the shape of `values`, both of one type.
Output BroadcastWeights(Scope& scope, Output weights, Output values);
// a / b, 0 where b is 0.
Output SafeQuotient(Scope& scope, Output a, Output b);

}  // namespace plumb
