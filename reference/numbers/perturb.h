// Random rounding: moves results inside their own error bounds, to measure how sensitive a graph is (rule N10).
#pragma once

#include <cstdint>
#include <vector>

#include "reference/numbers/value.h"

namespace plumb::reference {

// Moves each floating-point element by a random part of its bound, rounds it to its type and drops the bound. Equal
// seeds and executions draw equal numbers.
void Perturb(const std::vector<Value*>& results, uint64_t seed, int64_t execution);

}  // namespace plumb::reference
