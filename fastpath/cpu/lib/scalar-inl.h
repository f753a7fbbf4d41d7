// The functions of formulas-inl.h for plain numbers. Integers wrap, as two's complement does (rules N12–N15).
#if defined(PLUMB_SCALAR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_SCALAR_INL_H
#undef PLUMB_SCALAR_INL_H
#else
#define PLUMB_SCALAR_INL_H
#endif

#include <cmath>
#include <complex>
#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace plumb::fast::cpu::HWY_NAMESPACE {

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<std::complex<T>> = true;
template <class T>
concept Scalar = std::is_arithmetic_v<T> || kIsComplex<T>;

// The unsigned type in which T's arithmetic neither overflows nor is promoted to a signed one; T itself if not
// integral.
template <class T>
struct WrappingOf {
  using Type = T;
};
template <class T>
requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) struct WrappingOf<T> {
  using Type = std::make_unsigned_t<decltype(T() + 0)>;
};
template <class T>
using Wrapping = typename WrappingOf<T>::Type;

template <Scalar T>
T Add(T a, T b) {
  return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
}
template <Scalar T>
T Sub(T a, T b) {
  return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b));
}
template <Scalar T>
T Mul(T a, T b) {
  return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
}
template <Scalar T>
T Neg(T a) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(Wrapping<T>(0) - Wrapping<T>(a));
  return -a;
}
template <Scalar T>
T Div(T a, T b) {
  return a / b;
}
template <Scalar T>
T Abs(T a) {
  if constexpr (std::is_floating_point_v<T>) return std::abs(a);
  return a < T(0) ? Neg(a) : a;
}
template <Scalar T>
T Floor(T a) {
  return std::floor(a);
}
template <Scalar T>
T Sqrt(T a) {
  return std::sqrt(a);
}
template <Scalar T>
T ExpOf(T a) {
  return std::exp(a);
}
template <Scalar T>
T LogOf(T a) {
  return std::log(a);
}
// log|1+z| from |1+z|² − 1 = 2·re + |z|², which does not cancel near zero.
template <Scalar T>
T Log1pOf(T a) {
  if constexpr (kIsComplex<T>) {
    const auto re = a.real(), im = a.imag();
    if (std::abs(re) > 0.5 || std::abs(im) > 0.5) return std::log(T(1 + re, im));
    return T(std::log1p(re * (2 + re) + im * im) / 2, std::atan2(im, 1 + re));
  } else {
    return std::log1p(a);
  }
}
template <Scalar T>
T TanhOf(T a) {
  return std::tanh(a);
}
template <Scalar T>
T ConjOf(T a) {
  if constexpr (kIsComplex<T>) return std::conj(a);
  return a;
}
template <Scalar T>
T SignOf(T a) {
  if constexpr (kIsComplex<T>) {
    return a == T(0) ? T(0) : a / std::abs(a);
  } else {
    return a != a ? a : static_cast<T>((a > T(0)) - (a < T(0)));
  }
}
template <Scalar T>
T Like(T, double value) {
  return static_cast<T>(value);
}
template <Scalar T>
bool Lt(T a, T b) {
  return a < b;
}
template <Scalar T>
bool Eq(T a, T b) {
  return a == b;
}
template <Scalar T>
bool IsNaN(T a) {
  return a != a;
}
inline bool Or(bool a, bool b) { return a || b; }
template <Scalar T>
T IfThenElse(bool condition, T a, T b) {
  return condition ? a : b;
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_SCALAR_INL_H
