// The words of the special functions' formulas, for one element on a GPU: Eigen's.
#pragma once

#include <cmath>
#include <limits>
#include <unsupported/Eigen/SpecialFunctions>

#include "fastpath/gpu/math/lgamma_word.h"
#include "gpu_language.h"

namespace plumb::fast::GPU_NAMESPACE {

// By way of double: beside its zeros below -2, a card's function of float errs by thousands of units.
template <class T>
PLUMB_GPU_WORD T LgammaOf(T x) {
  return static_cast<T>(LgammaOfDouble(static_cast<double>(x)));
}
template <class T>
PLUMB_GPU_WORD T DigammaOf(T x) {
  return Eigen::numext::digamma(x);
}
template <class T>
PLUMB_GPU_WORD T ErfOf(T x) {
  return std::erf(x);
}
template <class T>
PLUMB_GPU_WORD T ErfcOf(T x) {
  return std::erfc(x);
}
template <class T>
PLUMB_GPU_WORD T BesselI0Of(T x) {
  return Eigen::numext::bessel_i0(x);
}
template <class T>
PLUMB_GPU_WORD T BesselI1Of(T x) {
  return Eigen::numext::bessel_i1(x);
}
template <class T>
PLUMB_GPU_WORD T BesselI0eOf(T x) {
  return Eigen::numext::bessel_i0e(x);
}
template <class T>
PLUMB_GPU_WORD T BesselI1eOf(T x) {
  return Eigen::numext::bessel_i1e(x);
}

// Below it Eigen's sum has too many terms, or no end. Whole numbers have an answer at once.
template <class T>
PLUMB_GPU_WORD bool HasTooManyTerms(T q) {
  return q < T(-1048576) && q != std::floor(q);
}
// A pole of an order that is even, as all floats are from there on; Eigen's 64-bit integers do not hold them.
template <class T>
PLUMB_GPU_WORD bool IsPoleOfLargeOrder(T x, T q) {
  return x >= T(int64_t{1} << 62) && q <= T(0) && q == std::floor(q);
}
template <class T>
PLUMB_GPU_WORD T ZetaOf(T x, T q) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if ((x > T(1) && q == kInfinity) || (x == kInfinity && q > T(1))) return T(0);  // each term is nothing
  if (IsPoleOfLargeOrder(x, q)) return kInfinity;
  return x > T(1) && HasTooManyTerms(q) ? std::numeric_limits<T>::quiet_NaN() : Eigen::numext::zeta(x, q);
}
template <class T>
PLUMB_GPU_WORD T PolygammaOf(T n, T x) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (n >= T(1) && n < kInfinity && n == std::floor(n) && x == kInfinity) return T(0);
  if (IsPoleOfLargeOrder(n, x)) return kInfinity;
  return n > T(0) && HasTooManyTerms(x) ? std::numeric_limits<T>::quiet_NaN() : Eigen::numext::polygamma(n, x);
}
#define PLUMB_INLINE PLUMB_GPU_WORD
#include "fastpath/formulas/math/betainc_words-inl.h"
#undef PLUMB_INLINE

}  // namespace plumb::fast::GPU_NAMESPACE
