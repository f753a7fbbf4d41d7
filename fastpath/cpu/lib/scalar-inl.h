// The words of fastpath/formulas for plain numbers. Integers wrap, as two's complement does (N9).
#if defined(PLUMB_SCALAR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef PLUMB_SCALAR_INL_H
#undef PLUMB_SCALAR_INL_H
#else
#define PLUMB_SCALAR_INL_H
#endif

#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "hwy/highway.h"
#include "spec/core/half.h"
#include "spec/core/status.h"

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
T Ceil(T a) {
  return std::ceil(a);
}
// To the nearest whole number, ties to the even one.
template <Scalar T>
T Round(T a) {
  if constexpr (std::is_integral_v<T>) {
    return a;
  } else {
    return std::nearbyint(a);
  }
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
// expm1(x)·cos y − 2·sin²(y/2) does not cancel near zero, as exp(x)·cos y − 1 does.
template <Scalar T>
T Expm1Of(T a) {
  if constexpr (kIsComplex<T>) {
    const auto half = std::sin(a.imag() / 2);
    return T(std::expm1(a.real()) * std::cos(a.imag()) - 2 * half * half, std::exp(a).imag());
  } else {
    return std::expm1(a);
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
template <class T>
T RealOf(std::complex<T> z) {
  return z.real();
}
template <class T>
T ImagOf(std::complex<T> z) {
  return z.imag();
}
template <class T>
T SizeOf(std::complex<T> z) {
  return std::hypot(z.real(), z.imag());
}
template <class T>
T AngleOf(std::complex<T> z) {
  return std::atan2(z.imag(), z.real());
}
template <class T>
std::complex<T> ComplexOf(T re, T im) {
  return {re, im};
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
inline bool Opposite(bool a) { return !a; }
inline bool And(bool a, bool b) { return a && b; }
inline bool Or(bool a, bool b) { return a || b; }
template <Scalar T>
T IfThenElse(bool condition, T a, T b) {
  return condition ? a : b;
}

inline std::string Add(std::string_view a, std::string_view b) { return std::string(a).append(b); }

template <Scalar T>
bool IsFiniteOf(T a) {
  return std::isfinite(a);
}
template <Scalar T>
bool IsInfiniteOf(T a) {
  return std::isinf(a);
}

// N9: an integer divided by zero is the caller's error; the least number by -1 wraps to itself. Towards zero.
template <Scalar T>
T QuotientOf(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    Require(b != 0, "integer division by zero");
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return Neg(a);
    }
    return static_cast<T>(a / b);
  } else {
    return a / b;
  }
}
template <Scalar T>
T RemainderOf(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    Require(b != 0, "integer division by zero");
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  } else {
    return std::fmod(a, b);
  }
}

template <Scalar T>
T FloorOfQuotient(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const T quotient = QuotientOf(a, b);
    return (a < 0) != (b < 0) && RemainderOf(a, b) != 0 ? static_cast<T>(quotient - 1) : quotient;
  } else {
    return std::floor(a / b);
  }
}
// The quotient is rounded to the 16-bit type before it is floored, as TensorFlow does.
template <class T>
requires(std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) T FloorOfQuotient(T a, T b) {
  return T(std::floor(static_cast<float>(T(static_cast<float>(a) / static_cast<float>(b)))));
}
template <Scalar T>
T TruncatedQuotient(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return QuotientOf(a, b);
  } else {
    return std::trunc(a / b);
  }
}
template <class T>
requires(std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) T TruncatedQuotient(T a, T b) {
  return T(std::trunc(static_cast<float>(T(static_cast<float>(a) / static_cast<float>(b)))));
}
// The remainder with the divisor's sign.
template <Scalar T>
T ModulusOf(T a, T b) {
  const T rest = RemainderOf(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
}

template <Scalar T>
T BitsAnd(T a, T b) {
  return static_cast<T>(a & b);
}
template <Scalar T>
T BitsOr(T a, T b) {
  return static_cast<T>(a | b);
}
template <Scalar T>
T BitsXor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <Scalar T>
T BitsNot(T a) {
  return static_cast<T>(~a);
}
template <Scalar T>
uint8_t BitsIn(T a) {
  // In pairs, fours, bytes, and all bytes: processors of 2003, which the build is for, have no instruction for it.
  uint64_t bits = std::make_unsigned_t<T>(a);
  bits -= bits >> 1 & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<uint8_t>(bits * 0x0101010101010101 >> 56);
}
// Shifts by no less than 0 and no more than the width less 1.
template <Scalar T>
int ShiftOf(T by) {
  constexpr T kMost = std::numeric_limits<std::make_unsigned_t<T>>::digits - 1;
  return static_cast<int>(by < T(0) ? T(0) : by > kMost ? kMost : by);
}
template <Scalar T>
T ShiftedLeft(T a, T by) {
  return static_cast<T>(Wrapping<T>(a) << ShiftOf(by));
}
template <Scalar T>
T ShiftedRight(T a, T by) {
  return static_cast<T>(a >> ShiftOf(by));
}

template <Scalar T>
T PowOf(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if constexpr (std::is_signed_v<T>) {
      Require(b >= 0, "an integer cannot be raised to the negative power ", int64_t{b});
    }
    T power = 1;
    for (uint64_t rest = static_cast<uint64_t>(static_cast<int64_t>(b)); rest != 0; rest >>= 1) {
      if ((rest & 1) != 0) power = Mul(power, a);
      a = Mul(a, a);
    }
    return power;
  } else {
    return b == T(2) ? a * a : std::pow(a, b);
  }
}

}  // namespace plumb::fast::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PLUMB_SCALAR_INL_H
