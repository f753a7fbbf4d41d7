// Stockham's transform in passes: each takes a factor R of n, and leaves the numbers in the order in which the next one
// reads them. Pass by pass n/R butterflies are independent of each other.
#pragma once

#include "fastpath/gpu/lib/complex.h"

namespace plumb::fast::GPU_NAMESPACE {

inline constexpr int kLargestFactor = 31;  // a butterfly costs the square of it; beyond, a convolution is cheaper
inline constexpr int kMostPasses = 40;     // of a number below 2⁶³, whose factors two are taken by pairs

struct Pass {
  int64_t n = 1;
  int64_t before = 1;  // the product of the factors of the passes before
  int radix = 1;
};

// The factors of n; `rest` is what only larger ones would divide.
struct Factors {
  int64_t n = 1, rest = 1;
  int count = 0;
  int radix[kMostPasses] = {};

  explicit Factors(int64_t n) : n(n), rest(n) {
    const auto take = [&](int factor) {
      for (; rest % factor == 0; rest /= factor) radix[count++] = factor;
    };
    take(4);
    for (int factor = 2; factor <= kLargestFactor; ++factor) take(factor);
  }
  // Pass `i`, when the passes before took `before` of n.
  PLUMB_GPU_WORD Pass At(int i, int64_t before) const { return {n, before, radix[i]}; }
};

// z·exp(∓πi/2), the turn that a butterfly of four needs.
template <class T>
PLUMB_GPU_INLINE Complex<T> QuarterTurn(Complex<T> z, bool inverse) {
  return inverse ? Complex<T>(-z.im, z.re) : Complex<T>(z.im, -z.re);
}

// The transform of R numbers, whose roots are every `step`-th of the table. R = 0: of `radix` numbers.
template <int R, class T, class To>
PLUMB_GPU_INLINE void TransformFew(const Complex<T>* v, int radix, Global<const Complex<T>> roots, int64_t step,
                                   bool inverse, const To& to) {
  if constexpr (R == 2) {
    to(0, v[0] + v[1]);
    to(1, v[0] - v[1]);
  } else if constexpr (R == 4) {
    const Complex<T> even = v[0] + v[2], odd = v[1] + v[3], first = v[0] - v[2];
    const Complex<T> turned = QuarterTurn(v[1] - v[3], inverse);
    to(0, even + odd);
    to(1, first + turned);
    to(2, even - odd);
    to(3, first - turned);
  } else {
    for (int q = 0; q < radix; ++q) {
      Complex<T> sum = v[0];
      for (int r = 1, at = q; r < radix; ++r, at = at + q < radix ? at + q : at + q - radix) {
        sum += v[r] * roots[at * step];
      }
      to(q, sum);
    }
  }
}

template <int R, class T, class From, class To>
PLUMB_GPU_INLINE void ButterflyOf(const Pass& pass, Global<const Complex<T>> roots, bool inverse, int64_t i,
                                  const From& from, const To& to) {
  const int radix = R > 0 ? R : pass.radix;
  const int64_t apart = pass.n / radix, k = i % pass.before, step = apart / pass.before;
  Complex<T> v[R > 0 ? R : kLargestFactor];
  v[0] = from(i);
  for (int r = 1; r < radix; ++r) v[r] = from(i + r * apart) * roots[k * r * step];
  const int64_t first = (i - k) * radix + k;
  TransformFew<R, T>(v, radix, roots, apart, inverse, [&](int q, Complex<T> y) { to(first + q * pass.before, y); });
}

// Butterfly `i` of a pass: reads the numbers from(t) of a line and gives to(t, y). `roots`: exp(∓2πi r/n).
template <class T, class From, class To>
PLUMB_GPU_INLINE void Butterfly(const Pass& pass, Global<const Complex<T>> roots, bool inverse, int64_t i,
                                const From& from, const To& to) {
  switch (pass.radix) {
    case 2:
      return ButterflyOf<2, T>(pass, roots, inverse, i, from, to);
    case 3:
      return ButterflyOf<3, T>(pass, roots, inverse, i, from, to);
    case 4:
      return ButterflyOf<4, T>(pass, roots, inverse, i, from, to);
    case 5:
      return ButterflyOf<5, T>(pass, roots, inverse, i, from, to);
    default:
      return ButterflyOf<0, T>(pass, roots, inverse, i, from, to);
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE
