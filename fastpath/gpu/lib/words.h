// The words of fastpath/formulas for one element on a GPU. Integers wrap, as two's complement does (N9). 16-bit floats
// are computed in float and rounded once. What the CPU refuses a kernel cannot: words that may refuse leave a
// Complaint.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "fastpath/formulas/traits.h"
#include "gpu_language.h"

namespace plumb::fast::GPU_NAMESPACE {

enum Complaint : int { kNone = 0, kDivisionByZero = 1, kNegativePower = 2 };

template <class T>
concept Scalar = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool kIsHalf = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// What an element is computed in, and how it is read and stored.
template <class T>
struct Computed {
  using Type = T;
  PLUMB_GPU_INLINE static T Load(T value) { return value; }
  PLUMB_GPU_INLINE static T Store(T value) { return value; }
};
template <>
struct Computed<Half> {
  using Type = float;
  PLUMB_GPU_INLINE static float Load(Half value) { return FloatOf(value); }
  PLUMB_GPU_INLINE static Half Store(float value) { return HalfOf(value); }
};
template <>
struct Computed<BFloat16> {
  using Type = float;
  PLUMB_GPU_INLINE static float Load(BFloat16 value) { return FloatOf(value); }
  PLUMB_GPU_INLINE static BFloat16 Store(float value) { return BFloat16Of(value); }
};

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
PLUMB_GPU_WORD T Add(T a, T b) {
  return static_cast<T>(Wrapping<T>(a) + Wrapping<T>(b));
}
template <Scalar T>
PLUMB_GPU_WORD T Sub(T a, T b) {
  return static_cast<T>(Wrapping<T>(a) - Wrapping<T>(b));
}
template <Scalar T>
PLUMB_GPU_WORD T Mul(T a, T b) {
  return static_cast<T>(Wrapping<T>(a) * Wrapping<T>(b));
}
template <Scalar T>
PLUMB_GPU_WORD T Neg(T a) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(Wrapping<T>(0) - Wrapping<T>(a));
  } else {
    return -a;
  }
}
template <Scalar T>
PLUMB_GPU_WORD T Div(T a, T b) {
  return a / b;
}
template <Scalar T>
PLUMB_GPU_WORD T Abs(T a) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fabs(a);
  } else {
    return a < T(0) ? Neg(a) : a;
  }
}
template <Scalar T>
PLUMB_GPU_WORD T Floor(T a) {
  return std::floor(a);
}
template <Scalar T>
PLUMB_GPU_WORD T Ceil(T a) {
  return std::ceil(a);
}
// To the nearest whole number, ties to the even one.
template <Scalar T>
PLUMB_GPU_WORD T Round(T a) {
  if constexpr (std::is_integral_v<T>) {
    return a;
  } else {
    return std::nearbyint(a);
  }
}
template <Scalar T>
PLUMB_GPU_WORD T Sqrt(T a) {
  return std::sqrt(a);
}
template <Scalar T>
PLUMB_GPU_WORD T ExpOf(T a) {
  return std::exp(a);
}
template <Scalar T>
PLUMB_GPU_WORD T LogOf(T a) {
  return std::log(a);
}
template <Scalar T>
PLUMB_GPU_WORD T Log1pOf(T a) {
  return std::log1p(a);
}
template <Scalar T>
PLUMB_GPU_WORD T Expm1Of(T a) {
  return std::expm1(a);
}
template <Scalar T>
PLUMB_GPU_WORD T TanhOf(T a) {
  return std::tanh(a);
}
template <Scalar T>
PLUMB_GPU_WORD T SinOf(T a) {
  return std::sin(a);
}
template <Scalar T>
PLUMB_GPU_WORD T CosOf(T a) {
  return std::cos(a);
}
// By way of double, where a card's function of float errs by more than the rows grant: by up to 3 units.
template <Scalar T>
PLUMB_GPU_WORD T TanOf(T a) {
  return static_cast<T>(std::tan(static_cast<double>(a)));
}
template <Scalar T>
PLUMB_GPU_WORD T AsinOf(T a) {
  return std::asin(a);
}
template <Scalar T>
PLUMB_GPU_WORD T AcosOf(T a) {
  return std::acos(a);
}
template <Scalar T>
PLUMB_GPU_WORD T AtanOf(T a) {
  return std::atan(a);
}
template <Scalar T>
PLUMB_GPU_WORD T SinhOf(T a) {
  return std::sinh(a);
}
template <Scalar T>
PLUMB_GPU_WORD T CoshOf(T a) {
  return std::cosh(a);
}
template <Scalar T>
PLUMB_GPU_WORD T AsinhOf(T a) {
  return std::asinh(a);
}
template <Scalar T>
PLUMB_GPU_WORD T AcoshOf(T a) {
  return std::acosh(a);
}
// As TanOf.
template <Scalar T>
PLUMB_GPU_WORD T AtanhOf(T a) {
  return static_cast<T>(std::atanh(static_cast<double>(a)));
}
template <Scalar T>
PLUMB_GPU_WORD T Atan2Of(T a, T b) {
  return std::atan2(a, b);
}
template <Scalar T>
PLUMB_GPU_WORD T ConjOf(T a) {
  return a;
}
template <Scalar T>
PLUMB_GPU_WORD T SignOf(T a) {
  return a != a ? a : static_cast<T>((a > T(0)) - (a < T(0)));
}
template <Scalar T>
PLUMB_GPU_WORD T Like(T, double value) {
  return static_cast<T>(value);
}
template <Scalar T>
PLUMB_GPU_WORD bool Lt(T a, T b) {
  return a < b;
}
template <Scalar T>
PLUMB_GPU_WORD bool Eq(T a, T b) {
  return a == b;
}
template <Scalar T>
PLUMB_GPU_WORD bool IsNaN(T a) {
  return a != a;
}
PLUMB_GPU_WORD bool And(bool a, bool b) { return a && b; }
PLUMB_GPU_WORD bool Or(bool a, bool b) { return a || b; }
template <Scalar T>
PLUMB_GPU_WORD T IfThenElse(bool condition, T a, T b) {
  return condition ? a : b;
}
template <Scalar T>
PLUMB_GPU_WORD bool IsFiniteOf(T a) {
  return Sub(a, a) == T(0);
}
template <Scalar T>
PLUMB_GPU_WORD bool IsInfiniteOf(T a) {
  return !IsNaN(a) && !IsFiniteOf(a);
}

// N9: an integer divided by zero is the caller's error; the least number by -1 wraps to itself. Towards zero.
template <Scalar T>
PLUMB_GPU_WORD T QuotientOf(T a, T b, Complaint& complaint) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) {
      complaint = kDivisionByZero;
      return 0;
    }
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return Neg(a);
    }
  }
  return static_cast<T>(a / b);
}
template <Scalar T>
PLUMB_GPU_WORD T RemainderOf(T a, T b, Complaint& complaint) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) {
      complaint = kDivisionByZero;
      return 0;
    }
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  } else {
    return std::fmod(a, b);
  }
}
template <Scalar T>
PLUMB_GPU_WORD T FloorOfQuotient(T a, T b, Complaint& complaint) {
  if constexpr (std::is_integral_v<T>) {
    const T quotient = QuotientOf(a, b, complaint);
    return (a < 0) != (b < 0) && RemainderOf(a, b, complaint) != 0 ? static_cast<T>(quotient - 1) : quotient;
  } else {
    return std::floor(a / b);
  }
}
template <Scalar T>
PLUMB_GPU_WORD T TruncatedQuotient(T a, T b, Complaint& complaint) {
  if constexpr (std::is_integral_v<T>) {
    return QuotientOf(a, b, complaint);
  } else {
    return std::trunc(a / b);
  }
}
// The remainder with the divisor's sign.
template <Scalar T>
PLUMB_GPU_WORD T ModulusOf(T a, T b, Complaint& complaint) {
  const T rest = RemainderOf(a, b, complaint);
  return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
}
template <Scalar T>
PLUMB_GPU_WORD T PowOf(T a, T b, Complaint& complaint) {
  if constexpr (std::is_integral_v<T>) {
    if (std::is_signed_v<T> && b < T(0)) {
      complaint = kNegativePower;
      return 0;
    }
    T power = 1;
    for (auto rest = static_cast<uint64_t>(static_cast<int64_t>(b)); rest != 0; rest >>= 1) {
      if ((rest & 1) != 0) power = Mul(power, a);
      a = Mul(a, a);
    }
    return power;
  } else {
    return b == T(2) ? a * a : std::pow(a, b);
  }
}

template <Scalar T>
PLUMB_GPU_WORD T BitsAnd(T a, T b) {
  return static_cast<T>(a & b);
}
template <Scalar T>
PLUMB_GPU_WORD T BitsOr(T a, T b) {
  return static_cast<T>(a | b);
}
template <Scalar T>
PLUMB_GPU_WORD T BitsXor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <Scalar T>
PLUMB_GPU_WORD T BitsNot(T a) {
  return static_cast<T>(~a);
}
template <Scalar T>
PLUMB_GPU_WORD uint8_t BitsIn(T a) {
  uint8_t count = 0;
  for (uint64_t bits = std::make_unsigned_t<T>(a); bits != 0; bits &= bits - 1) ++count;
  return count;
}
// Shifts by no less than 0 and no more than the width less 1.
template <Scalar T>
PLUMB_GPU_WORD int ShiftOf(T by) {
  constexpr T kMost = std::numeric_limits<std::make_unsigned_t<T>>::digits - 1;
  return static_cast<int>(by < T(0) ? T(0) : by > kMost ? kMost : by);
}
template <Scalar T>
PLUMB_GPU_WORD T ShiftedLeft(T a, T by) {
  return static_cast<T>(Wrapping<T>(a) << ShiftOf(by));
}
template <Scalar T>
PLUMB_GPU_WORD T ShiftedRight(T a, T by) {
  return static_cast<T>(a >> ShiftOf(by));
}

}  // namespace plumb::fast::GPU_NAMESPACE
