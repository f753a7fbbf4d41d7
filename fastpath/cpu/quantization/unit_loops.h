// Vector loops over numbers that become multiples of a unit.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace plumb::fast::cpu {

// The least and the greatest of some numbers. Of NaN and another number NaN is either end; of equal ones it is the
// first.
template <class T>
struct RangeEnds {
  T min = std::numeric_limits<T>::infinity(), max = -std::numeric_limits<T>::infinity();
  void Add(T low, T high) {
    min = low < min || std::isnan(low) ? low : min;
    max = max < high || std::isnan(high) ? high : max;
  }
};

// y = round(x·scale)·inverse, of x within [min, max] where the loop says so.
template <class T>
struct UnitSteps {
  T min, max, scale, inverse;
};

// y may be x itself.
template <class T>
using UnitLoop = void (*)(const UnitSteps<T>& unit, const T* x, T* y, int64_t n);

template <class T>
struct UnitLoops {
  RangeEnds<T> (*ends)(const T* x, int64_t n) = nullptr;
  // Halves go to even multiples, or up; x is taken as it is, or within the ends.
  UnitLoop<T> to_even = nullptr, to_even_within = nullptr, half_up = nullptr, half_up_within = nullptr;
};
// T: float or double.
template <class T>
UnitLoops<T> FindUnitLoops();

}  // namespace plumb::fast::cpu
