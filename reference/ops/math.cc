#include "reference/ops/math.h"

#include "reference/ops/elementwise.h"

namespace plumb::reference {
namespace {

// An elementary function is defined on real and complex numbers.
#define PLUMB_ELEMENTARY(function) [](OpContext& c) { Unary<Real, Complex>(c, [](auto x) { return function(x); }); }

template <class N>
N Quotient(N x, N y) {
  if constexpr (std::is_same_v<N, Integer>) return Divide(x, y);
  return x / y;
}

// |x − y|² for complex numbers, with no imaginary part.
template <class N>
N SquaredDifference(N x, N y) {
  const N difference = x - y;
  return Conj(difference) * difference;
}

void Add(OpContext& c) {
  if (c.tensor(0).dtype() == DType::kString) return AddStrings(c);
  Binary<Real, Integer, Complex>(c, [](auto x, auto y) { return x + y; });
}

template <class N>
N TimesHalf(N x) {
  return x * N(Real(0.5));
}

bool IsNan(Complex z) { return IsNan(z.re) || IsNan(z.im); }

// N18: a gradient of zero stays zero, whatever it is divided by or multiplied with.
template <class N>
N NoNan(N dy, N result) {
  return dy == N(0) && IsNan(result) ? N(0) : result;
}
template <class N>
N SqrtGradient(N y, N dy) {
  return NoNan(dy, TimesHalf(dy) / Conj(y));
}
template <class N>
N RsqrtGradient(N y, N dy) {
  return NoNan(dy, -TimesHalf(Conj(y) * dy) * Square(Conj(y)));
}

constexpr KernelRow kRows[] = {
    {"Add", Add},
    {"AddV2", Add},
    {"Sub", [](OpContext& c) { Binary<Real, Integer, Complex>(c, [](auto x, auto y) { return x - y; }); }},
    {"Mul", [](OpContext& c) { Binary<Real, Integer, Complex>(c, [](auto x, auto y) { return x * y; }); }},
    {"Div", [](OpContext& c) { Binary<Real, Integer, Complex>(c, [](auto x, auto y) { return Quotient(x, y); }); }},
    {"RealDiv", [](OpContext& c) { Binary<Real, Complex>(c, [](auto x, auto y) { return x / y; }); }},
    {"FloorDiv", [](OpContext& c) { Binary<Real, Integer>(c, [](auto x, auto y) { return FloorDivide(x, y); }); }},
    {"FloorMod", [](OpContext& c) { Binary<Real, Integer>(c, [](auto x, auto y) { return FloorModulo(x, y); }); }},
    {"Pow", [](OpContext& c) { Binary<Real, Integer, Complex>(c, [](auto x, auto y) { return Pow(x, y); }); }},
    {"Maximum", [](OpContext& c) { Binary<Real, Integer>(c, [](auto x, auto y) { return Max(x, y); }); }},
    {"Minimum", [](OpContext& c) { Binary<Real, Integer>(c, [](auto x, auto y) { return Min(x, y); }); }},
    {"SquaredDifference",
     [](OpContext& c) { Binary<Real, Integer, Complex>(c, [](auto x, auto y) { return SquaredDifference(x, y); }); }},

    {"Neg", [](OpContext& c) { Unary<Real, Integer, Complex>(c, [](auto x) { return -x; }); }},
    {"Abs", [](OpContext& c) { Unary<Real, Integer>(c, [](auto x) { return Abs(x); }); }},
    {"Sign", [](OpContext& c) { Unary<Real, Integer, Complex>(c, [](auto x) { return Sign(x); }); }},
    {"Square", [](OpContext& c) { Unary<Real, Integer, Complex>(c, [](auto x) { return x * x; }); }},
    {"Floor", [](OpContext& c) { Unary<Real>(c, [](auto x) { return Floor(x); }); }},
    {"Conj", [](OpContext& c) { Unary<Complex>(c, [](auto x) { return Conj(x); }); }},
    {"Sqrt", PLUMB_ELEMENTARY(Sqrt)},
    {"Rsqrt", PLUMB_ELEMENTARY(Rsqrt)},
    {"Exp", PLUMB_ELEMENTARY(Exp)},
    {"Log", PLUMB_ELEMENTARY(Log)},
    {"Log1p", PLUMB_ELEMENTARY(Log1p)},

    {"SqrtGrad",
     [](OpContext& c) { OwnGradient<Real, Complex>(c, [](auto y, auto dy) { return SqrtGradient(y, dy); }); }},
    {"RsqrtGrad",
     [](OpContext& c) { OwnGradient<Real, Complex>(c, [](auto y, auto dy) { return RsqrtGradient(y, dy); }); }},

    {"Equal", Equal},
    {"NotEqual", NotEqual},
    {"Less", [](OpContext& c) { Compare<Real, Integer>(c, [](auto x, auto y) { return x < y; }); }},
    {"LessEqual", [](OpContext& c) { Compare<Real, Integer>(c, [](auto x, auto y) { return x <= y; }); }},
    {"Greater", [](OpContext& c) { Compare<Real, Integer>(c, [](auto x, auto y) { return x > y; }); }},
    {"GreaterEqual", [](OpContext& c) { Compare<Real, Integer>(c, [](auto x, auto y) { return x >= y; }); }},
    {"LogicalAnd", [](OpContext& c) { Compare<Integer>(c, [](auto x, auto y) { return x * y; }); }},
    {"LogicalOr", [](OpContext& c) { Compare<Integer>(c, [](auto x, auto y) { return x + y; }); }},
    {"LogicalNot", [](OpContext& c) { Unary<Integer>(c, [](auto x) { return Integer(x == 0); }); }},
    {"IsFinite",
     [](OpContext& c) {
       const auto x = Load<Real>(c.input(0));
       auto y = MakeArray<Integer>(DType::kBool, x.shape);
       for (int64_t i = 0; i < x.shape.elements(); ++i) y[i] = std::isfinite(x[i].v);
       c.Output(0, Store(y));
     }},

    {"Select", Select},
    {"Cast", Cast},
    {"AddN", AddN},
    {"AccumulateNV2", AddN},
};

}  // namespace

std::span<const KernelRow> MathKernels() { return kRows; }

}  // namespace plumb::reference
