#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Endpoint Times(Gradient& g, Endpoint f) { return g.Call("Mul", {g.dy(), f}); }
// At the input.
Endpoint Of(Gradient& g, const char* op) { return g.Call(op, {g.x()}); }
Endpoint OverX(Gradient& g) { return g.Call("Div", {g.y(), g.x()}); }
Values Opposite(Gradient& g, Endpoint slope) { return {g.Call("Neg", {Times(g, slope)})}; }

Values J0Gradient(Gradient& g) { return Opposite(g, Of(g, "BesselJ1")); }
Values Y0Gradient(Gradient& g) { return Opposite(g, Of(g, "BesselY1")); }
Values K0Gradient(Gradient& g) { return Opposite(g, Of(g, "BesselK1")); }

// J₀(x) − J₁(x)/x, which is a half at zero.
Values J1Gradient(Gradient& g) {
  const Endpoint x = g.x(), zeros = g.ZerosLike(x);
  const Endpoint slope = g.Call("Sub", {Of(g, "BesselJ0"), OverX(g)});
  const Endpoint half = g.Call("Add", {zeros, g.Scalar(0.5, g.dtype(x))});
  return {Times(g, g.Call("Select", {g.Call("Equal", {x, zeros}), half, slope}))};
}
Values Y1Gradient(Gradient& g) { return {Times(g, g.Call("Sub", {Of(g, "BesselY0"), OverX(g)}))}; }
Values K1Gradient(Gradient& g) { return Opposite(g, g.Call("Add", {Of(g, "BesselK0"), OverX(g)})); }

Values K0eGradient(Gradient& g) { return {Times(g, g.Call("Sub", {g.y(), Of(g, "BesselK1e")}))}; }
// K₁ₑ(x) (1 − 1/x) − K₀ₑ(x).
Values K1eGradient(Gradient& g) {
  const Endpoint x = g.x(), rate = g.Call("Sub", {g.Scalar(1, g.dtype(x)), g.Call("Reciprocal", {x})});
  return {Times(g, g.Call("Sub", {g.Call("Mul", {g.y(), rate}), Of(g, "BesselK0e")}))};
}

constexpr char kAttrs[] = "T: type in [floats]";
constexpr char kTypes[] = "T in [float16, float32, float64]";

}  // namespace

std::span<const OpRow> MathBessel() {
  static const OpRow rows[] = {
      {.signature = "BesselJ0(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc = "The Bessel function of the first kind of order 0; NaN at infinity.",
       .cpu = kTypes,
       .gpu = kTypes,
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Composed(4),
       .gradient = J0Gradient,
       .samples = {"[d...] in -40..40", "[d...]"}},
      {.signature = "BesselJ1(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc = "The Bessel function of the first kind of order 1; NaN at infinity.",
       .cpu = kTypes,
       .gpu = kTypes,
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Composed(4),
       .gradient = J1Gradient,
       .samples = {"[d...] in -40..40", "[d...]"}},
      {.signature = "BesselY0(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc = "The Bessel function of the second kind of order 0; minus infinity at 0 and below, and NaN at infinity.",
       .cpu = kTypes,
       .gpu = kTypes,
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Composed(4),
       .gradient = Y0Gradient,
       .gradient_trial = {.positive = true},
       .samples = {"[d...] positive", "[d...] in 0..40", "[d...]"}},
      {.signature = "BesselY1(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc = "The Bessel function of the second kind of order 1; minus infinity at 0 and below, and NaN at infinity.",
       .cpu = kTypes,
       .gpu = kTypes,
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Composed(4),
       .gradient = Y1Gradient,
       .gradient_trial = {.positive = true},
       .samples = {"[d...] positive", "[d...] in 0..40", "[d...]"}},
      {.signature = "BesselK0(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc = "The modified Bessel function of the second kind of order 0; infinite at 0 and below.",
       .cpu = kTypes,
       .gpu = kTypes,
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Ulps(4),
       .gradient = K0Gradient,
       .gradient_trial = {.positive = true},
       .samples = {"[d...] positive", "[d...] in 0..40", "[d...]"}},
      {.signature = "BesselK1(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc = "The modified Bessel function of the second kind of order 1; infinite at 0 and below.",
       .cpu = kTypes,
       .gpu = kTypes,
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Ulps(4),
       .gradient = K1Gradient,
       .gradient_trial = {.positive = true},
       .samples = {"[d...] positive", "[d...] in 0..40", "[d...]"}},
      {.signature = "BesselK0e(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc = "exp(x) times BesselK0, which falls to 0 slowly; infinite at 0 and below.",
       .cpu = kTypes,
       .gpu = kTypes,
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Ulps(4),
       .gradient = K0eGradient,
       .gradient_trial = {.positive = true},
       .samples = {"[d...] positive", "[d...] in 0..40", "[d...]"}},
      {.signature = "BesselK1e(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc = "exp(x) times BesselK1, which falls to 0 slowly; infinite at 0 and below.",
       .cpu = kTypes,
       .gpu = kTypes,
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Ulps(4),
       .gradient = K1eGradient,
       .gradient_trial = {.positive = true},
       .samples = {"[d...] positive", "[d...] in 0..40", "[d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
