#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Endpoint Times(Gradient& g, Endpoint f) { return g.Call("Mul", {g.dy(), f}); }
Endpoint Of(Gradient& g, const char* op, Endpoint x) { return g.Call(op, {x}); }

Values SinhGradient(Gradient& g) { return {Times(g, Of(g, "Cosh", g.Conjugate(g.x())))}; }
Values CoshGradient(Gradient& g) { return {Times(g, Of(g, "Sinh", g.Conjugate(g.x())))}; }
Values AsinhGradient(Gradient& g) { return {g.Call("RealDiv", {g.dy(), Of(g, "Cosh", g.Conjugate(g.y()))})}; }
Values AcoshGradient(Gradient& g) { return {g.Call("RealDiv", {g.dy(), Of(g, "Sinh", g.Conjugate(g.y()))})}; }
Values AtanhGradient(Gradient& g) {
  const Endpoint square = Of(g, "Square", g.Conjugate(g.x()));
  return {Times(g, Of(g, "Reciprocal", g.Call("Sub", {g.Scalar(1, g.dtype(square)), square})))};
}

}  // namespace

std::span<const OpRow> MathHyperbolic() {
  static const OpRow rows[] = {
      {.signature = "Sinh(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The hyperbolic sine.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 32,
       .accuracy = Ulps(3),
       .gradient = SinhGradient},
      {.signature = "Cosh(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The hyperbolic cosine.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 32,
       .accuracy = Ulps(2),
       .gradient = CoshGradient},
      {.signature = "Asinh(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The number whose hyperbolic sine is x.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 32,
       .accuracy = Ulps(2),
       .gradient = AsinhGradient},
      {.signature = "Acosh(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The number from 0 on whose hyperbolic cosine is x; NaN for a real x below 1.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 32,
       .accuracy = Ulps(3),
       .gradient = AcoshGradient,
       .samples = {"[d...] in 1..10", "T in [float16, bfloat16, float32, complexes]: [d...]"}},
      {.signature = "Atanh(x: T) -> (y: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The number whose hyperbolic tangent is x; NaN for a real x beyond -1 and 1.",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .cost = 32,
       .accuracy = Ulps(2),
       .gradient = AtanhGradient,
       .samples = {"[d...] in -0.75..0.75", "T in [float16, bfloat16, float32, complexes]: [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
