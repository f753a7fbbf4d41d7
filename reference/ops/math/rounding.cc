// Numbers to whole numbers, and division that ends in one.
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

Real Ceil(Real x) {
  return Step(x, [](double t) { return std::ceil(t); });
}
// Ties go to the even one: the rounding mode that a C++ program starts in.
Real Round(Real x) {
  return Step(x, [](double t) { return std::nearbyint(t); });
}
Integer Round(Integer x) { return x; }

// N9: these two ops alone have this code.
void RefuseZero(Integer divisor) {
  if (divisor == 0) throw Internal("integer division by zero");
}

// The quotient is rounded before it is cut.
Real TruncatedQuotient(Real x, Real y) {
  Real quotient = x / y;
  quotient.v = RoundTo(arithmetic.type, quotient.v);
  return Step(quotient, [](double t) { return std::trunc(t); });
}
Integer TruncatedQuotient(Integer x, Integer y) {
  RefuseZero(y);
  return x / y;
}

// Exact, but for the bounds of the operands: where the quotient may pass a whole number, the remainder jumps by y.
Real Remainder(Real x, Real y) {
  const double rest = std::fmod(x.v, y.v);
  if (x.e == INFINITY || y.e == INFINITY) return {rest, INFINITY, 0};
  if (!std::isfinite(rest)) return {rest, 0, 0};
  const Real quotient = x / y;
  const double steps = std::trunc(quotient.v), d = x.d - Chain(steps, y.d);
  if (x.e == 0 && y.e == 0) return {rest, 0, d};
  const bool may_jump = std::trunc(quotient.v - quotient.e) != std::trunc(quotient.v + quotient.e);
  return {rest, x.e + std::fabs(steps) * y.e + (may_jump ? std::fabs(y.v) + y.e : 0), d};
}
Integer Remainder(Integer x, Integer y) {
  Require(y != 0, "integer division by zero");
  return x % y;
}

Real CutRemainder(Real x, Real y) { return Remainder(x, y); }
Integer CutRemainder(Integer x, Integer y) {
  RefuseZero(y);
  return Remainder(x, y);
}

constexpr KernelRow kRows[] = {
    {"Floor", [](OpContext& c) { Unary<Real>(c, [](auto x) { return Floor(x); }); }},
    {"Ceil", [](OpContext& c) { Unary<Real>(c, Ceil); }},
    {"Rint", [](OpContext& c) { Unary<Real>(c, [](auto x) { return Round(x); }); }},
    {"Round", [](OpContext& c) { Unary<Real, Integer>(c, [](auto x) { return Round(x); }); }},
    {"TruncateDiv",
     [](OpContext& c) { Binary<Real, Integer>(c, [](auto x, auto y) { return TruncatedQuotient(x, y); }); }},
    {"TruncateMod", [](OpContext& c) { Binary<Real, Integer>(c, [](auto x, auto y) { return CutRemainder(x, y); }); }},
    {"Mod", [](OpContext& c) { Binary<Real, Integer>(c, [](auto x, auto y) { return Remainder(x, y); }); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathRounding() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
