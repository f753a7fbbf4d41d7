// The numbers that the reference computes with. Kernels are written once over them; storage types are a matter of
// loading and storing (numbers_io.h).
//
// Real carries, beside the value, a running bound on how far any conforming implementation may be from it, and a
// directional derivative (a dual number), so that tolerances and exact derivatives come out of the same formulas.
#pragma once

#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <limits>

#include "spec/core/dtype.h"
#include "spec/ops/accuracy.h"

namespace plumb::reference {

// How the arithmetic on this thread behaves. The interpreter sets the first part for each op (ArithmeticFor); kernels
// set the second through ComputeIn, since only they know the type that a formula is evaluated in.
struct Arithmetic {
  bool exact = true;         // the op is one correctly rounded step: no error of its own (accuracy class kExact)
  double ulps = 1;           // units added by an elementary function (exp, log, …), by the op's accuracy class
  double narrow_ulps = 0.5;  // the same in float16 and bfloat16, besides `ulps` units of float32 (N4)
  bool bounds = false;       // whether bounds are wanted at all
  bool sharp = false;        // whether sums of high-entropy terms get the sharp limit instead of the sound one (N16)
  bool sharpened = false;    // whether one got it

  DType type = DType::kInvalid;  // that formulas are evaluated in
  double unit = 0;          // what each arithmetic step adds: its unit roundoff, 2^-24 for float32, …; 0: exact steps
  double product_unit = 0;  // what each product in a sum adds besides
  double tiny = 0;          // smallest normal number of the type
  double largest = std::numeric_limits<double>::max();  // beyond which sums and products of the type overflow
};
inline constinit thread_local Arithmetic arithmetic;

inline Arithmetic ArithmeticFor(const Accuracy& accuracy, bool bounds, bool sharp) {
  Arithmetic result;
  result.exact = accuracy.kind == AccuracyClass::kExact;
  result.ulps = accuracy.ulps;
  result.narrow_ulps = accuracy.narrow_ulps;
  result.bounds = bounds;
  result.sharp = sharp;
  return result;
}

// Unit roundoff of a floating or complex type. For double it is doubled: the reference computes in double, so that its
// own rounding counts beside the other implementation's.
constexpr double UnitRoundoff(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return 0x1p-11;
    case DType::kBfloat16:
      return 0x1p-8;
    case DType::kFloat:
    case DType::kComplex64:
      return 0x1p-24;
    case DType::kDouble:
    case DType::kComplex128:
      return 0x1p-52;
    default:
      return 0;
  }
}
constexpr double LargestFinite(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return 65504;
    case DType::kBfloat16:
      return 0x1.fep127;
    case DType::kFloat:
    case DType::kComplex64:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}
constexpr double SmallestNormal(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return 0x1p-14;
    case DType::kBfloat16:
    case DType::kFloat:
    case DType::kComplex64:
      return 0x1p-126;
    case DType::kDouble:
    case DType::kComplex128:
      return 0x1p-1022;
    default:
      return 0;
  }
}

// From here on, on this thread, arithmetic steps round as those of `dtype` do. Complex arithmetic has several steps and
// is never exact.
inline void ComputeIn(DType dtype) {
  arithmetic.product_unit = 0;
  arithmetic.largest = LargestFinite(dtype);
  arithmetic.tiny = SmallestNormal(dtype);
  const bool exact = arithmetic.exact && dtype != DType::kComplex64 && dtype != DType::kComplex128;
  arithmetic.type = dtype;
  arithmetic.unit = exact ? 0 : UnitRoundoff(dtype);
}
// The type in which sums of `dtype` are kept: float for the 16-bit types.
constexpr DType AccumulatorOf(DType dtype) {
  return dtype == DType::kHalf || dtype == DType::kBfloat16 ? DType::kFloat : dtype;
}
// The same as ComputeIn for sums of products of `dtype`: kept in the accumulator's type, but for the 16-bit types each
// product may have been rounded twice to the narrow one on its way (rule N8).
inline void SumProductsOf(DType dtype) {
  ComputeIn(AccumulatorOf(dtype));
  arithmetic.largest = LargestFinite(dtype);
  if (AccumulatorOf(dtype) != dtype && !arithmetic.exact) arithmetic.product_unit = 2 * UnitRoundoff(dtype);
}

// value v, error bound e >= 0, derivative d. An infinite bound says that nothing is known, not even whether the number
// is finite; any other bound of a number that is not finite is zero: it must be met as it is.
struct Real {
  double v = 0;
  double e = 0;
  double d = 0;
  constexpr Real() = default;
  constexpr Real(double value) : v(value) {}  // NOLINT: literals are exact numbers
  constexpr Real(double value, double error, double derivative) : v(value), e(error), d(derivative) {}
};

// A step that rounds once: error `propagated` from the operands, plus the rounding of the result.
inline Real Rounded(double v, double propagated, double d, double units = 1) {
  if (!std::isfinite(v)) return {v, propagated == INFINITY ? INFINITY : 0, d};
  const double e = propagated + units * arithmetic.unit * std::fabs(v);
  return {v, std::isnan(e) ? INFINITY : e, d};
}
// slope · tangent, where no tangent means zero whatever the slope.
inline double Chain(double slope, double tangent) { return tangent == 0 ? 0 : slope * tangent; }

inline Real operator-(Real a) { return {-a.v, a.e, -a.d}; }
inline Real operator+(Real a, Real b) { return Rounded(a.v + b.v, a.e + b.e, a.d + b.d); }
inline Real operator-(Real a, Real b) { return Rounded(a.v - b.v, a.e + b.e, a.d - b.d); }
inline Real operator*(Real a, Real b) {
  return Rounded(a.v * b.v, std::fabs(a.v) * b.e + std::fabs(b.v) * a.e + a.e * b.e, Chain(b.v, a.d) + Chain(a.v, b.d));
}
inline Real operator/(Real a, Real b) {
  const double q = a.v / b.v;
  const double room = std::fabs(b.v) - b.e;  // how close to zero the divisor may be
  const double propagated = a.e == 0 && b.e == 0 ? 0 : room > 0 ? (a.e + std::fabs(q) * b.e) / room : INFINITY;
  const double dividend = a.d - Chain(q, b.d);
  return Rounded(q, propagated, dividend == 0 ? 0 : dividend / b.v);
}
inline Real& operator+=(Real& a, Real b) { return a = a + b; }
inline Real& operator-=(Real& a, Real b) { return a = a - b; }
inline Real& operator*=(Real& a, Real b) { return a = a * b; }
inline bool operator<(Real a, Real b) { return a.v < b.v; }
inline bool operator>(Real a, Real b) { return a.v > b.v; }
inline bool operator<=(Real a, Real b) { return a.v <= b.v; }
inline bool operator>=(Real a, Real b) { return a.v >= b.v; }
inline bool operator==(Real a, Real b) { return a.v == b.v; }
inline bool IsNan(Real a) { return std::isnan(a.v); }

// Integers of every width, and bool: arithmetic modulo 2^128, reduced to the storage type when stored.
struct Integer {
  using Wide = __int128;
  using Ring = unsigned __int128;
  Wide v = 0;
  constexpr Integer() = default;
  template <class T>
  requires std::integral<T> || std::same_as<T, Wide> || std::same_as<T, Ring>
  constexpr Integer(T value) : v(static_cast<Wide>(value)) {}  // NOLINT: every whole number is an Integer
  constexpr explicit operator int64_t() const { return static_cast<int64_t>(v); }
  constexpr explicit operator double() const { return static_cast<double>(v); }
  constexpr bool operator==(const Integer&) const = default;
  constexpr auto operator<=>(const Integer&) const = default;  // NOLINT(modernize-use-nullptr): the check misreads it
};
constexpr Integer operator-(Integer a) { return Integer(-Integer::Ring(a.v)); }
constexpr Integer operator+(Integer a, Integer b) { return Integer(Integer::Ring(a.v) + Integer::Ring(b.v)); }
constexpr Integer operator-(Integer a, Integer b) { return Integer(Integer::Ring(a.v) - Integer::Ring(b.v)); }
constexpr Integer operator*(Integer a, Integer b) { return Integer(Integer::Ring(a.v) * Integer::Ring(b.v)); }
// Towards zero. The divisor must not be zero.
constexpr Integer operator/(Integer a, Integer b) { return Integer(a.v / b.v); }
constexpr Integer operator%(Integer a, Integer b) { return Integer(a.v % b.v); }
constexpr Integer& operator+=(Integer& a, Integer b) { return a = a + b; }
constexpr Integer& operator-=(Integer& a, Integer b) { return a = a - b; }
constexpr Integer& operator*=(Integer& a, Integer b) { return a = a * b; }
constexpr bool IsNan(Integer) { return false; }

// Complex numbers; both parts carry their bounds.
struct Complex {
  Real re, im;
  constexpr Complex() = default;
  constexpr Complex(Real real, Real imaginary = {}) : re(real), im(imaginary) {}  // NOLINT: a real is complex
};
inline Complex operator-(Complex a) { return {-a.re, -a.im}; }
inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
// As C++ divides, which handles infinities and sizes near the ends of the range; a few units of error in |quotient|.
inline Complex operator/(Complex a, Complex b) {
  const std::complex<double> divisor(b.re.v, b.im.v);
  const auto q = std::complex<double>(a.re.v, a.im.v) / divisor;
  const double size = std::abs(q), error_a = std::hypot(a.re.e, a.im.e), error_b = std::hypot(b.re.e, b.im.e);
  const double room = std::abs(divisor) - error_b;
  const double propagated = error_a == 0 && error_b == 0 ? 0 : room > 0 ? (error_a + size * error_b) / room : INFINITY;
  const std::complex<double> slope = std::complex<double>(a.re.d, a.im.d) - q * std::complex<double>(b.re.d, b.im.d);
  const auto d = slope == 0.0 ? 0.0 : slope / divisor;
  const double e = propagated + 8 * arithmetic.unit * size;
  return {Rounded(q.real(), e, d.real()), Rounded(q.imag(), e, d.imag())};
}
inline Complex& operator+=(Complex& a, Complex b) { return a = a + b; }
inline Complex& operator-=(Complex& a, Complex b) { return a = a - b; }
inline Complex& operator*=(Complex& a, Complex b) { return a = a * b; }
inline bool operator==(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }

inline Complex Conj(Complex a) { return {a.re, -a.im}; }
inline Real Conj(Real a) { return a; }
inline Integer Conj(Integer a) { return a; }

}  // namespace plumb::reference
