#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Endpoint Times(Gradient& g, Endpoint f) { return g.Call("Mul", {g.dy(), f}); }

// 1 − 2xy.
Values DawsnGradient(Gradient& g) {
  const DType dtype = g.dtype(g.x());
  const Endpoint twice = g.Call("Mul", {g.Call("Mul", {g.Scalar(2, dtype), g.x()}), g.y()});
  return {Times(g, g.Call("Sub", {g.Scalar(1, dtype), twice}))};
}

// exp(x)/x.
Values ExpintGradient(Gradient& g) { return {g.Call("Div", {Times(g, g.Call("Exp", {g.x()})), g.x()})}; }

// log x/(1 − x), which is −1 at 1.
Values SpenceGradient(Gradient& g) {
  const Endpoint x = g.x(), one = g.Scalar(1, g.dtype(x));
  const Endpoint slope = g.Call("Div", {g.Call("Log", {x}), g.Call("Sub", {one, x})});
  const Endpoint ones = g.Call("Add", {g.ZerosLike(x), one});
  return {Times(g, g.Call("Select", {g.Call("Equal", {x, ones}), g.Call("Neg", {ones}), slope}))};
}

// cos(πx²/2) or sin(πx²/2).
Values FresnelGradient(Gradient& g, const char* wave) {
  const Endpoint half_pi = g.Scalar(1.5707963267948966192313216916398, g.dtype(g.x()));
  return {Times(g, g.Call(wave, {g.Call("Mul", {half_pi, g.Call("Square", {g.x()})})}))};
}
Values FresnelCosGradient(Gradient& g) { return FresnelGradient(g, "Cos"); }
Values FresnelSinGradient(Gradient& g) { return FresnelGradient(g, "Sin"); }

constexpr char kAttrs[] = "T: type in [floats]";
constexpr char kTypes[] = "T in [float32, float64]";

}  // namespace

std::span<const OpRow> MathIntegrals() {
  static const OpRow rows[] = {
      {.signature = "Dawsn(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc = "Dawson's integral, exp(-x*x) times the integral of exp(t*t) from 0 to x.",
       .cpu = kTypes,
       .gpu = kTypes,
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Ulps(4),
       .gradient = DawsnGradient,
       .samples = {"[d...] in -8..8", "[d...]"}},
      {.signature = "Expint(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc = "The exponential integral Ei, of exp(t)/t from minus infinity to x; minus infinity at 0, and NaN below "
              "and at infinity.",
       .cpu = kTypes,
       .gpu = kTypes,
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Composed(4),
       .gradient = ExpintGradient,
       .gradient_trial = {.positive = true},
       .samples = {"[d...] positive", "[d...] in 0..80", "[d...]"}},
      {.signature = "FresnelCos(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc = "The integral of cos(pi/2 t*t) from 0 to x.",
       .cpu = kTypes,
       .gpu = kTypes,
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Ulps(4),
       .gradient = FresnelCosGradient,
       .samples = {"[d...] in -6..6", "[d...]"}},
      {.signature = "FresnelSin(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc = "The integral of sin(pi/2 t*t) from 0 to x.",
       .cpu = kTypes,
       .gpu = kTypes,
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Ulps(4),
       .gradient = FresnelSinGradient,
       .samples = {"[d...] in -6..6", "[d...]"}},
      {.signature = "Spence(x: T) -> (y: T)",
       .attrs = kAttrs,
       .doc =
           "The dilogarithm of 1 - x, minus the integral of log(t)/(t - 1) from 1 to x; NaN below 0 and at infinity.",
       .cpu = kTypes,
       .gpu = kTypes,
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Ulps(4),
       .gradient = SpenceGradient,
       .gradient_trial = {.positive = true},
       .samples = {"[d...] positive", "[d...] in 0..40", "[d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
