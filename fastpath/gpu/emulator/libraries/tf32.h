// Float as tensor cores take it where it may be TF32.
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <type_traits>

namespace plumb::fast::emulated_gpu {

// The nearest number with 10 bits of fraction, of two the one further from zero.
inline float AsTf32(float value) {
  constexpr uint32_t kDropped = 13, kHalf = uint32_t{1} << (kDropped - 1);
  if (!std::isfinite(value)) return value;
  return std::bit_cast<float>((std::bit_cast<uint32_t>(value) + kHalf) >> kDropped << kDropped);
}

// A factor as it is multiplied, of the type that sums are in.
template <class Sum, class T>
Sum FactorOf(T value, bool as_tf32) {
  if constexpr (std::is_same_v<T, float>) {
    return as_tf32 ? AsTf32(value) : value;
  } else if constexpr (std::is_same_v<T, std::complex<float>>) {
    return as_tf32 ? T(AsTf32(value.real()), AsTf32(value.imag())) : value;
  } else {
    return static_cast<Sum>(value);
  }
}

}  // namespace plumb::fast::emulated_gpu
