// Vector loops over numbers in equal steps.
#pragma once

#include <cstdint>

namespace plumb::fast::cpu {

// to[i] = start + (first + i)·step for i < n, in the roundings of T: float, double, int32_t or int64_t, which wrap
// around.
template <class T>
void PutSteps(T start, T step, int64_t first, int64_t n, T* to);

}  // namespace plumb::fast::cpu
