#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// d(x^y) = y·x^(y−1) dx + x^y·log(x) dy, the second term only where x > 0 (x ≠ 0 for complex x).
Values PowGradient(Gradient& g) {
  const DType dtype = g.dtype(g.x(0));
  const Endpoint x = g.Conjugate(g.x(0)), y = g.Conjugate(g.x(1)), z = g.Conjugate(g.y());
  const Endpoint power = g.Call("Pow", {x, g.Call("Sub", {y, g.Scalar(1, dtype)})});
  const Endpoint dx = g.Call("Mul", {g.Call("Mul", {g.dy(), y}), power});
  const Endpoint zero = g.Scalar(0, dtype);
  const Endpoint defined = IsComplex(dtype) ? g.Call("NotEqual", {x, zero}) : g.Call("Greater", {x, zero});
  const Endpoint zeros = g.ZerosLike(x);
  const Endpoint safe = g.Call("Select", {defined, x, g.Call("OnesLike", {x})});
  const Endpoint log = g.Call("Select", {defined, g.Call("Log", {safe}), zeros});
  return Broadcast(g, dx, g.Call("Mul", {g.Call("Mul", {g.dy(), z}), log}));
}

Values SqrtGradient(Gradient& g) { return {g.Call("SqrtGrad", {g.y(), g.dy()})}; }

// z = dy·0.5 / y.
Values SqrtGradGradient(Gradient& g) {
  const Endpoint quotient = g.Call("RealDiv", {g.dy(), g.x(0)});
  const Endpoint half = g.Scalar(0.5, g.dtype(g.dy()));
  return {g.Call("Mul", {g.Call("Neg", {g.Conjugate(quotient)}), g.y()}), g.Call("Mul", {half, quotient})};
}

Values RsqrtGradient(Gradient& g) { return {g.Call("RsqrtGrad", {g.y(), g.dy()})}; }

// z = dy·(−0.5)·conj(y)³.
Values RsqrtGradGradient(Gradient& g) {
  const Endpoint y = g.Conjugate(g.x(0)), dz = g.dy();
  const Endpoint scaled = g.Call("Mul", {g.Scalar(-1.5, g.dtype(dz)), g.Conjugate(dz)});
  const Endpoint with_y = g.Call("Mul", {scaled, g.Call("Mul", {g.x(1), g.Call("Mul", {y, y})})});
  return {with_y, g.Call("RsqrtGrad", {y, dz})};
}

Values ExpGradient(Gradient& g) { return {g.Call("Mul", {g.dy(), g.Conjugate(g.y())})}; }
Values Expm1Gradient(Gradient& g) { return {g.Call("Mul", {g.dy(), g.Call("Exp", {g.Conjugate(g.x())})})}; }
Values LogGradient(Gradient& g) { return {g.Call("RealDiv", {g.dy(), g.Conjugate(g.x())})}; }

Values Log1pGradient(Gradient& g) {
  const Endpoint x = g.Conjugate(g.x());
  return {g.Call("RealDiv", {g.dy(), g.Call("Add", {g.Scalar(1, g.dtype(x)), x})})};
}

}  // namespace

std::span<const OpRow> MathElementary() {
  static const OpRow rows[] = {
      {.signature = "Sqrt(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The square root; NaN below zero.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .accuracy = ExactIfReal(),
       .gradient = SqrtGradient,
       .gradient_trial = {.positive = true, .order = 2},
       .samples = {"[d...] positive", "[d...]"}},
      {.signature = "SqrtGrad(y: T, dy: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The gradient of Sqrt by its result y: dy / (2 y).",
       .gpu = "T in [floats]",
       .shape = "[d...] ? -> [d...]",
       .accuracy = Composed(1),
       .gradient = SqrtGradGradient,
       .samples = {"[d...] positive [d...]"}},
      {.signature = "Rsqrt(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "1 / sqrt(x).",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .accuracy = Ulps(4, 0, 1.5),  // in narrow types the root may be rounded before it is divided by
       .gradient = RsqrtGradient,
       .gradient_trial = {.positive = true, .order = 2},
       .samples = {"[d...] positive", "[d...]"}},
      {.signature = "RsqrtGrad(y: T, dy: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The gradient of Rsqrt by its result y: -dy y³ / 2.",
       .gpu = "T in [floats]",
       .shape = "[d...] ? -> [d...]",
       .accuracy = Composed(1),
       .gradient = RsqrtGradGradient,
       .samples = {"[d...] positive [d...]"}},
      {.signature = "Exp(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "e to the power of x.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 8,
       .accuracy = Ulps(2),
       .gradient = ExpGradient},
      {.signature = "Expm1(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "exp(x) - 1, accurate near zero.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 8,
       .accuracy = Ulps(4.4),
       .gradient = Expm1Gradient},
      {.signature = "Log(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The natural logarithm; NaN below zero.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 8,
       .accuracy = Ulps(4),
       .gradient = LogGradient,
       .samples = {"[d...] positive", "[d...]"}},
      {.signature = "Log1p(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "log(1 + x), accurate near zero.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 8,
       .accuracy = Ulps(4),
       .gradient = Log1pGradient,
       .samples = {"[d...] positive", "[d...]"}},
      {.signature = "Pow(x: T, y: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes, int8, int16, int32, int64]",
       .doc = "x to the power of y, broadcast. A negative power of an integer is an error.",
       .gpu = "T in [floats, int64]",
       .shape_fn = Broadcasting,
       .cost = 8,
       .accuracy = Ulps(4),
       .gradient = PowGradient,
       .gradient_trial = {.constant_inputs = {1}, .positive = true},
       .samples = {"T in [ints]: [d...] in -3..4 [d...] in 0..5", "T in [floats]: [a b] positive [b]",
                   "T in [floats]: [d...] [d...] in -3..4", "T in [complexes]: [d...] [d...] in -3..3"}},
  };
  return rows;
}

}  // namespace plumb::topics
