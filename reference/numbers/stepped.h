// Numbers of the 16-bit types in formulas whose every step rounds to the type, as TensorFlow's optimizers do (N22):
// what is beyond its range on the way is infinite from there on.
#pragma once

#include <cmath>

#include "reference/numbers/element.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

// A step's result as the type holds it. Its own rounding counts beside that of another implementation, which may keep
// more digits.
inline Real RoundedStep(const Real& exact) {
  const DType type = arithmetic.type;
  const double rounded = RoundTo(type, exact.v), size = std::fabs(exact.v);
  if (exact.e == INFINITY || !std::isfinite(exact.v)) return {rounded, exact.e, exact.d};
  if (size > exact.e && std::isinf(RoundTo(type, size - exact.e)))
    return {std::copysign(INFINITY, exact.v), 0, exact.d};
  if (std::isinf(RoundTo(type, size + exact.e))) return {rounded, INFINITY, exact.d};
  const double coarse = size > 0 && size < arithmetic.tiny ? arithmetic.unit * arithmetic.tiny : 0;
  return {rounded, exact.e + std::fabs(exact.v - rounded) + coarse, exact.d};
}

struct Stepped {
  Real real;
  Stepped() = default;
  Stepped(double value) : real(value) {}  // NOLINT: literals are numbers of every type
  explicit Stepped(const Real& exact) : real(RoundedStep(exact)) {}
};
// A number that its type holds as it is.
inline Stepped Unrounded(const Real& held) {
  Stepped number;
  number.real = held;
  return number;
}

inline Stepped operator-(const Stepped& a) { return Unrounded(-a.real); }
inline Stepped operator+(const Stepped& a, const Stepped& b) { return Stepped(a.real + b.real); }
inline Stepped operator-(const Stepped& a, const Stepped& b) { return Stepped(a.real - b.real); }
inline Stepped operator*(const Stepped& a, const Stepped& b) { return Stepped(a.real * b.real); }
inline Stepped operator/(const Stepped& a, const Stepped& b) { return Stepped(a.real / b.real); }
inline Stepped& operator+=(Stepped& a, const Stepped& b) { return a = a + b; }
inline Stepped& operator-=(Stepped& a, const Stepped& b) { return a = a - b; }
inline bool operator<(const Stepped& a, const Stepped& b) { return a.real < b.real; }
inline bool operator>(const Stepped& a, const Stepped& b) { return a.real > b.real; }
inline bool operator<=(const Stepped& a, const Stepped& b) { return a.real <= b.real; }
inline bool operator>=(const Stepped& a, const Stepped& b) { return a.real >= b.real; }
inline bool operator==(const Stepped& a, const Stepped& b) { return a.real == b.real; }
inline bool IsNan(const Stepped& a) { return IsNan(a.real); }

inline Stepped Exp(const Stepped& x) { return Stepped(Exp(x.real)); }
inline Stepped Sqrt(const Stepped& x) { return Stepped(Sqrt(x.real)); }
inline Stepped Rsqrt(const Stepped& x) { return Stepped(1.0) / Sqrt(x); }
inline Stepped Pow(const Stepped& x, const Stepped& y) { return Stepped(Pow(x.real, y.real)); }
inline Stepped Abs(const Stepped& x) { return Unrounded(Abs(x.real)); }
inline Stepped Sign(const Stepped& x) { return Unrounded(Sign(x.real)); }
inline Stepped Max(const Stepped& a, const Stepped& b) { return Unrounded(Max(a.real, b.real)); }
inline Stepped TakenIf(bool condition, const Stepped& x, double threshold, const Stepped& taken) {
  return Unrounded(TakenIf(condition, x.real, threshold, taken.real));
}

inline double Plain(const Real& x) { return x.v; }
inline double Plain(const Stepped& x) { return x.real.v; }
inline void SetPlain(Real& x, double value) { x.v = value; }
inline void SetPlain(Stepped& x, double value) { x.real.v = value; }

template <>
inline Array<Stepped> Load<Stepped>(const Value& value) {
  const Reader<Real> from(value);
  Array<Stepped> array{value.tensor.dtype(), value.tensor.shape(),
                       std::vector<Stepped>(static_cast<size_t>(from.size()))};
  for (int64_t i = 0; i < from.size(); ++i) array[i] = Unrounded(from[i]);
  return array;
}
template <>
inline Value Store<Stepped>(const Array<Stepped>& array) {
  Writer<Real> to(array.dtype, array.shape);
  for (int64_t i = 0; i < to.size(); ++i) to.Set(i, array[i].real);
  return to.Take();
}
template <>
inline Stepped LoadScalar<Stepped>(const Value& value) {
  return Unrounded(LoadScalar<Real>(value));
}

// ForKind, where numbers of the 16-bit types are Stepped.
template <class... Kinds, class F>
void ForSteppedKind(DType dtype, F&& f) {
  if (AccumulatorOf(dtype) == dtype) return ForKind<Kinds...>(dtype, std::forward<F>(f));
  ComputeIn(dtype);
  f(TypeTag<Stepped>{});
}

}  // namespace plumb::reference
