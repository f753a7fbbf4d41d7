// First values of variables.
#pragma once

#include <cstdint>
#include <functional>

#include "client/scope.h"

namespace plumb {

// Every element equal to `value`.
Output Filled(Scope& scope, DType dtype, const Shape& shape, double value);
// Uniform random numbers that keep the size of signals (Glorot and Bengio): within ±√(6 / (fan in + fan out)), where
// the last two axes are inputs and outputs and any axes before them multiply both. Equal seeds give equal numbers.
Output GlorotUniform(Scope& scope, DType dtype, const Shape& shape, int64_t seed);

// Uniform random numbers within [low, high).
Output Uniform(Scope& scope, DType dtype, const Shape& shape, double low, double high, int64_t seed);

// How a variable of any type and shape starts.
using Initializer = std::function<Output(Scope&, DType, const Shape&)>;
Initializer Filled(double value);
Initializer GlorotUniform(int64_t seed);
Initializer Uniform(double low, double high, int64_t seed);

}  // namespace plumb
