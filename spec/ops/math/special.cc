#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Endpoint Times(Gradient& g, Endpoint f) { return g.Call("Mul", {g.dy(), f}); }

Values LgammaGradient(Gradient& g) { return {Times(g, g.Call("Digamma", {g.x()}))}; }
Values DigammaGradient(Gradient& g) { return {Times(g, g.Call("Polygamma", {g.Scalar(1, g.dtype(g.x())), g.x()}))}; }

// 2/√π exp(−x²).
Endpoint Bell(Gradient& g, double factor) {
  const Endpoint power = g.Call("Exp", {g.Call("Neg", {g.Call("Square", {g.x()})})});
  return g.Call("Mul", {g.Scalar(factor, g.dtype(power)), power});
}
constexpr double kTwoOverRootPi = 1.1283791670955125738961589031216;
Values ErfGradient(Gradient& g) { return {Times(g, Bell(g, kTwoOverRootPi))}; }
Values ErfcGradient(Gradient& g) { return {Times(g, Bell(g, -kTwoOverRootPi))}; }

Values BesselI0Gradient(Gradient& g) { return {Times(g, g.Call("BesselI1", {g.x()}))}; }

// I₀(x) − I₁(x)/x, which is a half at zero.
Values BesselI1Gradient(Gradient& g) {
  const Endpoint x = g.x(), zeros = g.ZerosLike(x);
  const Endpoint slope = g.Call("Sub", {g.Call("BesselI0", {x}), g.Call("RealDiv", {g.y(), x})});
  const Endpoint half = g.Call("Add", {zeros, g.Scalar(0.5, g.dtype(x))});
  return {Times(g, g.Call("Select", {g.Call("Equal", {x, zeros}), half, slope}))};
}

// I₁ₑ(x) − sign(x) I₀ₑ(x).
Values BesselI0eGradient(Gradient& g) {
  const Endpoint towards = g.Call("Mul", {g.Call("Sign", {g.x()}), g.y()});
  return {Times(g, g.Call("Sub", {g.Call("BesselI1e", {g.x()}), towards}))};
}

// I₀ₑ(x) − I₁ₑ(x) (sign(x) + 1/x), which is a half at zero.
Values BesselI1eGradient(Gradient& g) {
  const Endpoint x = g.x(), zeros = g.ZerosLike(x);
  const Endpoint rate = g.Call("Add", {g.Call("Sign", {x}), g.Call("Reciprocal", {x})});
  const Endpoint slope = g.Call("Sub", {g.Call("BesselI0e", {x}), g.Call("Mul", {g.y(), rate})});
  const Endpoint half = g.Call("Add", {zeros, g.Scalar(0.5, g.dtype(x))});
  return {Times(g, g.Call("Select", {g.Call("Equal", {x, zeros}), half, slope}))};
}

Values PolygammaGradient(Gradient& g) {
  const Endpoint next = g.Call("Add", {g.x(0), g.Scalar(1, g.dtype(g.x(0)))});
  const Endpoint by_x = Times(g, g.Call("Polygamma", {next, g.x(1)}));
  return {GradientValue::None(), g.SumToShapeOf(by_x, g.x(1), g.x(0))};
}

Values ZetaGradient(Gradient& g) {
  const Endpoint s = g.x(0), next = g.Call("Add", {s, g.Scalar(1, g.dtype(s))});
  const Endpoint slope = g.Call("Mul", {g.Call("Neg", {s}), g.Call("Zeta", {next, g.x(1)})});
  return {GradientValue::None(), g.SumToShapeOf(Times(g, slope), g.x(1), s)};
}

}  // namespace

std::span<const OpRow> MathSpecial() {
  static const OpRow rows[] = {
      {.signature = "Lgamma(x: T) -> (y: T)",
       .attrs = "T: type in [floats]",
       .doc = "log |gamma(x)|; infinite at 0 and the negative whole numbers.",
       .cpu = "T in [float16, float32, float64]",
       .gpu = "T in [float16, float32, float64]",
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Ulps(4),
       .gradient = LgammaGradient,
       .samples = {"[d...] positive", "[d...]"}},
      {.signature = "Digamma(x: T) -> (y: T)",
       .attrs = "T: type in [floats]",
       .doc = "The derivative of Lgamma; NaN at 0 and the negative whole numbers.",
       .cpu = "T in [float16, float32, float64]",
       .gpu = "T in [float16, float32, float64]",
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Composed(8),
       .gradient = DigammaGradient,
       .samples = {"[d...] positive", "[d...]"}},
      {.signature = "Erf(x: T) -> (y: T)",
       .attrs = "T: type in [floats]",
       .doc = "The error function.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 32,
       .accuracy = Composed(6),
       .gradient = ErfGradient},
      {.signature = "Erfc(x: T) -> (y: T)",
       .attrs = "T: type in [floats]",
       .doc = "1 - erf(x), accurate where it is small.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 32,
       .accuracy = Ulps(4),
       .gradient = ErfcGradient},
      {.signature = "BesselI0(x: T) -> (y: T)",
       .attrs = "T: type in [floats]",
       .doc = "The modified Bessel function of the first kind of order 0.",
       .cpu = "T in [float16, float32, float64]",
       .gpu = "T in [float16, float32, float64]",
       .shape = "[d...] -> [d...]",
       .cost = 32,
       .accuracy = Composed(16),
       .gradient = BesselI0Gradient},
      {.signature = "BesselI1(x: T) -> (y: T)",
       .attrs = "T: type in [floats]",
       .doc = "The modified Bessel function of the first kind of order 1.",
       .cpu = "T in [float16, float32, float64]",
       .gpu = "T in [float16, float32, float64]",
       .shape = "[d...] -> [d...]",
       .cost = 32,
       .accuracy = Composed(16),
       .gradient = BesselI1Gradient},
      {.signature = "BesselI0e(x: T) -> (y: T)",
       .attrs = "T: type in [floats]",
       .doc = "exp(-|x|) times the modified Bessel function of the first kind of order 0, which stays finite.",
       .cpu = "T in [float16, float32, float64]",
       .gpu = "T in [float16, float32, float64]",
       .shape = "[d...] -> [d...]",
       .cost = 32,
       .accuracy = Composed(16),
       .gradient = BesselI0eGradient},
      {.signature = "BesselI1e(x: T) -> (y: T)",
       .attrs = "T: type in [floats]",
       .doc = "exp(-|x|) times the modified Bessel function of the first kind of order 1, which stays finite.",
       .cpu = "T in [float16, float32, float64]",
       .gpu = "T in [float16, float32, float64]",
       .shape = "[d...] -> [d...]",
       .cost = 32,
       .accuracy = Composed(16),
       .gradient = BesselI1eGradient},
      {.signature = "Polygamma(a: T, x: T) -> (z: T)",
       .attrs = "T: type in [float32, float64]",
       .doc = "The derivative of order a of Digamma, broadcast; NaN unless a is a whole number from 0 on.",
       .gpu = "T in [float32, float64]",
       .shape_fn = Broadcasting,
       .cost = 64,
       .accuracy = Composed(8),
       .gradient = PolygammaGradient,
       .gradient_trial = {.constant_inputs = {0}, .positive = true},
       .samples = {"1 [d...] positive", "{0, 1, 3} [a 3] positive"}},
      {.signature = "Zeta(x: T, q: T) -> (z: T)",
       .attrs = "T: type in [float32, float64]",
       .doc = "The Hurwitz zeta function, the sum of (q + k) to the power of -x from k = 0 on, broadcast; infinite at "
              "x = 1 and NaN below; NaN too for a q that lies more than a million below zero.",
       .gpu = "T in [float32, float64]",
       .shape_fn = Broadcasting,
       .cost = 64,
       .accuracy = Composed(8),
       .gradient = ZetaGradient,
       .gradient_trial = {.constant_inputs = {0}, .positive = true},
       .samples = {"[d...] in 1.5..6 [d...] positive", "2 [a b] positive", "[a 1] in 1.25..9 [b] positive"}},
  };
  return rows;
}

}  // namespace plumb::topics
