// Normally distributed numbers out of uniform ones.
#pragma once

#include <algorithm>
#include <cmath>

namespace plumb::fast::cpu {

inline constexpr double kPi = 3.14159265358979323846;

// R73: two independent normal numbers from two uniform ones.
template <class T>
void BoxMuller(T u1, T u2, T* out) {
  const T radius = std::sqrt(T(-2) * std::log(std::max(u1, T(1.0e-7))));
  const T angle = static_cast<T>(2 * kPi * static_cast<double>(u2));  // one rounding, as TensorFlow's
  out[0] = radius * std::sin(angle);
  out[1] = radius * std::cos(angle);
}

}  // namespace plumb::fast::cpu
