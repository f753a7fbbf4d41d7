#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// dy·f, f being an expression of the operand.
Endpoint Times(Gradient& g, Endpoint f) { return g.Call("Mul", {g.dy(), f}); }
Endpoint Of(Gradient& g, const char* op, Endpoint x) { return g.Call(op, {x}); }

Values SinGradient(Gradient& g) { return {Times(g, Of(g, "Cos", g.Conjugate(g.x())))}; }
Values CosGradient(Gradient& g) { return {g.Call("Neg", {Times(g, Of(g, "Sin", g.Conjugate(g.x())))})}; }
Values TanGradient(Gradient& g) {
  const Endpoint secant = Of(g, "Reciprocal", Of(g, "Cos", g.Conjugate(g.x())));
  return {Times(g, Of(g, "Square", secant))};
}

// 1 / √(1 − x²).
Endpoint AsinSlope(Gradient& g) {
  const Endpoint square = Of(g, "Square", g.Conjugate(g.x()));
  return Of(g, "Reciprocal", Of(g, "Sqrt", g.Call("Sub", {g.Scalar(1, g.dtype(square)), square})));
}
Values AsinGradient(Gradient& g) { return {Times(g, AsinSlope(g))}; }
Values AcosGradient(Gradient& g) { return {g.Call("Neg", {Times(g, AsinSlope(g))})}; }
Values AtanGradient(Gradient& g) {
  const Endpoint square = Of(g, "Square", g.Conjugate(g.x()));
  return {Times(g, Of(g, "Reciprocal", g.Call("Add", {g.Scalar(1, g.dtype(square)), square})))};
}

// (x dy − y dx) / (x² + y²).
Values Atan2Gradient(Gradient& g) {
  const Endpoint y = g.x(0), x = g.x(1);
  const Endpoint share = g.Call("RealDiv", {g.dy(), g.Call("Add", {Of(g, "Square", x), Of(g, "Square", y)})});
  return Broadcast(g, g.Call("Mul", {x, share}), g.Call("Mul", {g.Call("Neg", {y}), share}));
}

}  // namespace

std::span<const OpRow> MathTrigonometric() {
  static const OpRow rows[] = {
      {.signature = "Sin(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The sine of an angle in radians.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 8,
       .accuracy = Ulps(3),
       .gradient = SinGradient},
      {.signature = "Cos(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The cosine of an angle in radians.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 8,
       .accuracy = Ulps(2.5),
       .gradient = CosGradient},
      {.signature = "Tan(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The tangent of an angle in radians.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 32,
       .accuracy = Ulps(1.5),
       .gradient = TanGradient,
       .samples = {"[d...]", "[d...] in -1..1"}},
      {.signature = "Asin(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The angle from -pi/2 to pi/2 whose sine is x; NaN for a real x beyond -1 and 1.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 8,
       .accuracy = Ulps(4),
       .gradient = AsinGradient,
       .samples = {"[d...] in -0.75..0.75", "T in [float16, bfloat16, float32, complexes]: [d...]"}},
      {.signature = "Acos(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The angle from 0 to pi whose cosine is x; NaN for a real x beyond -1 and 1.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 8,
       .accuracy = Ulps(5),
       .gradient = AcosGradient,
       .samples = {"[d...] in -0.75..0.75", "T in [float16, bfloat16, float32, complexes]: [d...]"}},
      {.signature = "Atan(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The angle from -pi/2 to pi/2 whose tangent is x.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 8,
       .accuracy = Ulps(4),
       .gradient = AtanGradient},
      {.signature = "Atan2(y: T, x: T) -> (z: T)",
       .attrs = "T: type in [floats]",
       .doc = "The angle from -pi to pi of the point (x, y), broadcast.",
       .gpu = "T in [floats]",
       .shape_fn = Broadcasting,
       .cost = 32,
       .accuracy = Composed(4),
       .gradient = Atan2Gradient,
       .samples = {"[d...] [d...]", "[a b] [b]", "[a 1] [1 b]", "[] [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
