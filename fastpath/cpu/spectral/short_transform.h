// Fourier transforms of 2, 4, 8 or 16 numbers, whose factors are constants. Even and odd places are transformed first.
#pragma once

#include <complex>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace plumb::fast::cpu {

inline constexpr int64_t kLongestShort = 16;

// Of n numbers, each `step` after the one before it. Without the factor 1/n of an inverse transform.
template <class T, int n, bool inverse>
struct ShortTransform {
  using Z = std::complex<T>;

  static void Run(const Z* from, int64_t step, Z* to) {
    if constexpr (n == 1) {
      *to = *from;
    } else {
      using Half = ShortTransform<T, n / 2, inverse>;
      Half::Run(from, 2 * step, to);
      Half::Run(from + step, 2 * step, to + n / 2);
      [&]<int... k>(std::integer_sequence<int, k...>) { (Combine<k>(to[k], to[k + n / 2]), ...); }
      (std::make_integer_sequence<int, n / 2>());
    }
  }

 private:
  template <int k>
  static void Combine(Z& even, Z& odd) {
    const Z turned = Turned<k>(odd);
    odd = even - turned;
    even += turned;
  }

  // z exp(∓2πi k/n)
  template <int k>
  static Z Turned(Z z) {
    // Of sixteenths of a circle.
    constexpr double kCosines[] = {1, 0x1.d906bcf328d46p-1,  0x1.6a09e667f3bcdp-1,  0x1.87de2a6aea963p-2,
                                   0, -0x1.87de2a6aea963p-2, -0x1.6a09e667f3bcdp-1, -0x1.d906bcf328d46p-1};
    constexpr int kPart = 16 / n * k;
    constexpr T kCosine = kCosines[kPart], kSine = (inverse ? 1 : -1) * kCosines[kPart < 4 ? 4 - kPart : kPart - 4];
    if constexpr (k == 0) return z;
    if constexpr (4 * k == n) return {-kSine * z.imag(), kSine * z.real()};
    return {z.real() * kCosine - z.imag() * kSine, z.real() * kSine + z.imag() * kCosine};
  }
};

// The transform of n numbers in a row, which may not overlap those at `to`; null for other n.
template <class T>
using ShortRow = void (*)(const std::complex<T>* from, std::complex<T>* to);
template <class T, bool inverse, int... n>
ShortRow<T> ShortRowOf(int64_t length, std::integer_sequence<int, n...> /*lengths*/) {
  ShortRow<T> found = nullptr;
  const auto run = []<int m>(std::integer_sequence<int, m>) -> ShortRow<T> {
    return [](const std::complex<T>* from, std::complex<T>* to) { ShortTransform<T, m, inverse>::Run(from, 1, to); };
  };
  ((found = length == n ? run(std::integer_sequence<int, n>()) : found), ...);
  return found;
}
template <class T>
ShortRow<T> FindShortRow(int64_t n, bool inverse) {
  constexpr std::integer_sequence<int, 2, 4, 8, 16> kLengths;
  return inverse ? ShortRowOf<T, true>(n, kLengths) : ShortRowOf<T, false>(n, kLengths);
}

}  // namespace plumb::fast::cpu
