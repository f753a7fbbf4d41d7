#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// dy · factor · exp(share · y²).
Values BellGradient(Gradient& g, double factor, double share) {
  const DType dtype = g.dtype(g.y());
  const Endpoint power = g.Call("Exp", {g.Call("Mul", {g.Scalar(share, dtype), g.Call("Square", {g.y()})})});
  return {g.Call("Mul", {g.dy(), g.Call("Mul", {g.Scalar(factor, dtype), power})})};
}

constexpr double kHalfRootPi = 0.88622692545275801364908374167057;
constexpr double kRootTwoPi = 2.5066282746310005024157652848110;
Values ErfinvGradient(Gradient& g) { return BellGradient(g, kHalfRootPi, 1); }
Values NdtriGradient(Gradient& g) { return BellGradient(g, kRootTwoPi, 0.5); }

constexpr char kTypes[] = "T: type in [floats]";

}  // namespace

std::span<const OpRow> MathErfinv() {
  static const OpRow rows[] = {
      {.signature = "Erfinv(x: T) -> (y: T)",
       .attrs = kTypes,
       .doc = "The inverse of Erf; infinite at -1 and 1, and NaN beyond.",
       .cpu = "T in [float32, float64]",
       .gpu = "T in [float32, float64]",
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Composed(8),
       .gradient = ErfinvGradient,
       .samples = {"[d...] in -0.98..0.98", "T in [float32]: [d...] in -1..1", "T in [float32]: [d...]"}},
      {.signature = "Ndtri(x: T) -> (y: T)",
       .attrs = kTypes,
       .doc = "The quantile of the standard normal distribution at x; infinite at 0 and 1, and NaN beyond.",
       .cpu = "T in [float32, float64]",
       .gpu = "T in [float32, float64]",
       .shape = "[d...] -> [d...]",
       .cost = 64,
       .accuracy = Composed(8),
       .gradient = NdtriGradient,
       .samples = {"[d...] in 0.02..0.98", "T in [float32]: [d...] in 0..1", "T in [float32]: [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
