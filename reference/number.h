// The numbers that the reference computes with. Kernels are written once over them; storage types are a matter of
// loading and storing (value.h).
//
// Real carries, beside the value, a running bound on how far any conforming implementation may be from it, and a
// directional derivative (a dual number), so that tolerances and exact derivatives come out of the same formulas.
#pragma once

#include <cmath>
#include <cstdint>

namespace plumb::reference {

// How the arithmetic on this thread behaves. Set by the interpreter for each op, never by a kernel.
struct Arithmetic {
  double unit = 0;      // unit roundoff that each arithmetic step adds: 2^-24 for float32, …; 0: exact steps
  double ulps = 1;      // units added by an elementary function (exp, log, …), by the op's accuracy class
  double tiny = 0;      // smallest normal number of the type; results below it may be flushed to zero
  bool bounds = false;  // whether bounds are wanted at all
};
inline thread_local Arithmetic arithmetic;

// value v, error bound e >= 0, derivative d.
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
  return {v, propagated + units * arithmetic.unit * std::fabs(v), d};
}

inline Real operator-(Real a) { return {-a.v, a.e, -a.d}; }
inline Real operator+(Real a, Real b) { return Rounded(a.v + b.v, a.e + b.e, a.d + b.d); }
inline Real operator-(Real a, Real b) { return Rounded(a.v - b.v, a.e + b.e, a.d - b.d); }
inline Real operator*(Real a, Real b) {
  return Rounded(a.v * b.v, std::fabs(a.v) * b.e + std::fabs(b.v) * a.e + a.e * b.e, a.d * b.v + a.v * b.d);
}
inline Real operator/(Real a, Real b) {
  const double q = a.v / b.v;
  const double room = std::fabs(b.v) - b.e;  // how close to zero the divisor may be
  const double propagated = a.e == 0 && b.e == 0 ? 0 : room > 0 ? (a.e + std::fabs(q) * b.e) / room : INFINITY;
  return Rounded(q, propagated, (a.d - q * b.d) / b.v);
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

// A sum whose order an implementation may choose: the bound γₙ·Σ|terms| holds for every order, tree and use of FMA
// (conformance §3). Terms are added exactly as far as double allows.
class Sum {
 public:
  void Add(Real term) {
    v_ += term.v;
    e_ += term.e;
    d_ += term.d;
    magnitude_ += std::fabs(term.v);
    ++count_;
  }
  // A product term a·b: rounds once more than a plain term.
  void AddProduct(Real a, Real b) {
    Add({a.v * b.v, std::fabs(a.v) * b.e + std::fabs(b.v) * a.e + a.e * b.e, a.d * b.v + a.v * b.d});
  }
  Real Result() const {
    const double nu = static_cast<double>(count_) * arithmetic.unit;
    const double gamma = nu < 1 ? nu / (1 - nu) : INFINITY;
    const double own = 0x1p-53 * static_cast<double>(count_) * magnitude_;  // our own rounding, in double
    return {v_, e_ + (magnitude_ == 0 ? 0 : gamma * magnitude_) + own, d_};
  }

 private:
  double v_ = 0, e_ = 0, d_ = 0, magnitude_ = 0;
  int64_t count_ = 0;
};

// Integers of every width: exact here, wrapped to the storage type when stored.
using Integer = __int128;

// Complex numbers; both parts carry their bounds.
struct Complex {
  Real re, im;
};
inline Complex operator-(Complex a) { return {-a.re, -a.im}; }
inline Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
inline Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
inline Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
inline Complex operator/(Complex a, Complex b) {
  const Real norm = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / norm, (a.im * b.re - a.re * b.im) / norm};
}
inline bool operator==(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }

}  // namespace plumb::reference
