// Division, remainder and power of whole numbers, and their floored forms for real ones.
#include "reference/numbers_io.h"
#include "reference/ops/elementwise.h"
#include "reference/ops/math.h"

namespace plumb::reference {

// Facts 11: a zero divisor of whole numbers is the caller's mistake.
Integer Divide(Integer x, Integer y) {
  Require(y != 0, "integer division by zero");
  return x / y;
}

Integer FloorModulo(Integer x, Integer y) {
  Require(y != 0, "integer division by zero");
  const Integer rest = x % y;
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

Integer FloorDivide(Integer x, Integer y) {
  const Integer rest = FloorModulo(x, y);
  return (x - rest) / y;
}

Integer Pow(Integer x, Integer y) {
  Require(y >= 0, "an integer to a negative integer power is no integer");
  Integer result = 1;
  for (Integer base = x; y > 0; y = y / 2, base = base * base) {
    if (y % 2 != 0) result = result * base;
  }
  return result;
}

// Whether the bound leaves open on which side of a whole number the quotient lies.
namespace {
bool MayCrossStep(Real quotient) {
  return quotient.e > 0 && std::floor(quotient.v - quotient.e) != std::floor(quotient.v + quotient.e);
}
}  // namespace

// The quotient is rounded before it is floored.
Real FloorDivide(Real x, Real y) {
  Real quotient = x / y;
  quotient.v = RoundTo(arithmetic.type, quotient.v);
  return Floor(quotient);
}

// The remainder itself is exact; one rounding comes from moving it to the divisor's side.
Real FloorModulo(Real x, Real y) {
  double rest = std::fmod(x.v, y.v);
  if (rest != 0 && (rest < 0) != (y.v < 0)) rest += y.v;
  if (x.e == INFINITY || y.e == INFINITY) return {rest, INFINITY, 0};
  if (!std::isfinite(rest)) return {rest, 0, 0};
  const Real quotient = x / y;
  const double steps = std::floor(quotient.v);
  if (x.e == 0 && y.e == 0) return {rest, 0, x.d - Chain(steps, y.d)};
  const double propagated = x.e + std::fabs(steps) * y.e + (MayCrossStep(quotient) ? std::fabs(y.v) + y.e : 0);
  return {rest, propagated, x.d - Chain(steps, y.d)};
}

}  // namespace plumb::reference
