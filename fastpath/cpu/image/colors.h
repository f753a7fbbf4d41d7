// Colours of pixels: the steps that ops on hue and saturation share.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::fast::cpu {

template <class T>
using Pixel = std::array<T, 3>;

// NaN wins.
template <class T>
T Larger(T a, T b) {
  return a >= b || a != a ? a : b;
}
template <class T>
T Smaller(T a, T b) {
  return a <= b || a != a ? a : b;
}
template <class T>
T Largest(const Pixel<T>& p) {
  return Larger(Larger(p[0], p[1]), p[2]);
}
template <class T>
T Smallest(const Pixel<T>& p) {
  return Smaller(Smaller(p[0], p[1]), p[2]);
}

// Where the hue is on the colour circle of six parts: red at 0, green at 2, blue at 4; 0 for grey.
template <class T>
T CirclePlace(const Pixel<T>& p, T largest, T range) {
  if (!(range > 0)) return 0;
  if (p[0] == largest) return (p[1] - p[2]) / range;
  if (p[1] == largest) return (p[2] - p[0]) / range + 2;
  return (p[0] - p[1]) / range + 4;
}

// How much of the range each channel has at a place on the circle, from 0 to 1.
template <class T>
Pixel<T> SharesAt(T place) {
  const auto limited = [](T x) { return Smaller(Larger(x, T(0)), T(1)); };
  return {limited(std::fabs(place - 3) - 1), limited(2 - std::fabs(place - 2)), limited(2 - std::fabs(place - 4))};
}

}  // namespace plumb::fast::cpu
