// The four operations and what is made of them: signs, squares, the larger and the smaller of two.
#include <cmath>

#include "reference/kernel/op_context.h"
#include "reference/ops/lib/elementwise.h"

namespace plumb::reference {
namespace {

// N9: a zero divisor of whole numbers is the caller's mistake.
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

// The quotient is rounded before it is floored.
Real FloorDivide(Real x, Real y) {
  Real quotient = x / y;
  quotient.v = RoundTo(arithmetic.type, quotient.v);
  return Floor(quotient);
}

// Whether the bound leaves open on which side of a whole number the quotient lies.
bool MayCrossStep(Real quotient) {
  return quotient.e > 0 && std::floor(quotient.v - quotient.e) != std::floor(quotient.v + quotient.e);
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

template <class N>
N Quotient(N x, N y) {
  if constexpr (std::is_same_v<N, Integer>) return Divide(x, y);
  return x / y;
}

// Where |y|² leaves the range of its type, a quotient by it is not what C++'s division gives.
Complex Quotient(Complex x, Complex y) {
  Complex z = x / y;
  const double square = y.re.v * y.re.v + y.im.v * y.im.v;
  const bool is_zero = y.re.v == 0 && y.im.v == 0;
  if (square > arithmetic.largest || (square < arithmetic.tiny && !is_zero)) z.re.e = z.im.e = INFINITY;
  return z;
}

// |x − y|² for complex numbers, with no imaginary part.
template <class N>
N SquaredDifference(N x, N y) {
  const N difference = x - y;
  return Conj(difference) * difference;
}

void AddStrings(OpContext& context) {
  const Tensor &x = context.tensor(0), &y = context.tensor(1);
  const Shape shape = BroadcastShape(x.shape(), y.shape());
  const auto a = x.data<std::string>(), b = y.data<std::string>();
  Tensor z(DType::kString, shape);
  const auto sums = z.mutable_data<std::string>();
  ForEachBroadcast(x.shape(), y.shape(), shape, [&](int64_t i, int64_t j, int64_t k) { sums[i] = a[j] + b[k]; });
  context.Output(0, std::move(z));
}

void Add(OpContext& c) {
  if (c.tensor(0).dtype() == DType::kString) return AddStrings(c);
  Binary<Real, Integer, Complex>(c, [](auto x, auto y) { return x + y; });
}

constexpr KernelRow kRows[] = {
    {"Add", Add},
    {"AddV2", Add},
    {"Sub", [](OpContext& c) { Binary<Real, Integer, Complex>(c, [](auto x, auto y) { return x - y; }); }},
    {"Mul", [](OpContext& c) { Binary<Real, Integer, Complex>(c, [](auto x, auto y) { return x * y; }); }},
    {"Div", [](OpContext& c) { Binary<Real, Integer, Complex>(c, [](auto x, auto y) { return Quotient(x, y); }); }},
    {"RealDiv", [](OpContext& c) { Binary<Real, Complex>(c, [](auto x, auto y) { return Quotient(x, y); }); }},
    {"FloorDiv", [](OpContext& c) { Binary<Real, Integer>(c, [](auto x, auto y) { return FloorDivide(x, y); }); }},
    {"FloorMod", [](OpContext& c) { Binary<Real, Integer>(c, [](auto x, auto y) { return FloorModulo(x, y); }); }},
    {"Maximum", [](OpContext& c) { Binary<Real, Integer>(c, [](auto x, auto y) { return Max(x, y); }); }},
    {"Minimum", [](OpContext& c) { Binary<Real, Integer>(c, [](auto x, auto y) { return Min(x, y); }); }},
    {"SquaredDifference",
     [](OpContext& c) { Binary<Real, Integer, Complex>(c, [](auto x, auto y) { return SquaredDifference(x, y); }); }},
    {"Neg", [](OpContext& c) { Unary<Real, Integer, Complex>(c, [](auto x) { return -x; }); }},
    {"Abs", [](OpContext& c) { Unary<Real, Integer>(c, [](auto x) { return Abs(x); }); }},
    {"Sign", [](OpContext& c) { Unary<Real, Integer, Complex>(c, [](auto x) { return Sign(x); }); }},
    {"Square", [](OpContext& c) { Unary<Real, Integer, Complex>(c, [](auto x) { return x * x; }); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MathArithmetic() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
