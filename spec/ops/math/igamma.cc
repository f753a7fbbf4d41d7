#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// By a the derivative that IgammaGradA gives, by x the density x^(a−1)·exp(−x) / Γ(a); `sign` times both.
Values SlopesOf(Gradient& g, double sign) {
  const Endpoint a = g.x(0), x = g.x(1), one = g.Scalar(1, g.dtype(x));
  const Endpoint dy = sign > 0 ? g.dy() : g.Call("Neg", {g.dy()});
  const Endpoint by_a = g.Call("IgammaGradA", {a, x});
  const Endpoint power = g.Call("Sub", {g.Call("Mul", {g.Call("Sub", {a, one}), g.Call("Log", {x})}), x});
  const Endpoint by_x = g.Call("Exp", {g.Call("Sub", {power, g.Call("Lgamma", {a})})});
  return {g.SumToShapeOf(g.Call("Mul", {by_a, dy}), a, x), g.SumToShapeOf(g.Call("Mul", {by_x, dy}), x, a)};
}

Values IgammaGradient(Gradient& g) { return SlopesOf(g, 1); }
Values IgammacGradient(Gradient& g) { return SlopesOf(g, -1); }

std::vector<const char*> InReach() {
  return {"[n] in 0.01..20 [n] in 0.01..20", "[3 1] in 0.1..3 [5] in 0.1..3", "[] in 20..60 [n] in 20..60",
          "2.5 [a b] positive", "[n] [n]"};
}

constexpr char kTypes[] = "T: type in [float32, float64]";

}  // namespace

std::span<const OpRow> MathIgamma() {
  static const OpRow rows[] = {
      {.signature = "Igamma(a: T, x: T) -> (z: T)",
       .attrs = kTypes,
       .doc = "The lower regularised incomplete gamma function, the share of the gamma distribution of parameter a "
              "that lies below x; NaN unless a is positive and x is not negative; broadcast.",
       .gpu = "T in [float32, float64]",
       .shape_fn = Broadcasting,
       .cost = 128,
       .accuracy = Composed(4),
       .gradient = IgammaGradient,
       .gradient_trial = {.positive = true},
       .samples = InReach()},
      {.signature = "Igammac(a: T, x: T) -> (z: T)",
       .attrs = kTypes,
       .doc = "1 - Igamma(a, x), accurate where it is small.",
       .gpu = "T in [float32, float64]",
       .shape_fn = Broadcasting,
       .cost = 128,
       .accuracy = Composed(4),
       .gradient = IgammacGradient,
       .gradient_trial = {.positive = true},
       .samples = InReach()},
      {.signature = "IgammaGradA(a: T, x: T) -> (z: T)",
       .attrs = kTypes,
       .doc = "The derivative of Igamma by a.",
       .gpu = "T in [float32, float64]",
       .shape_fn = Broadcasting,
       .cost = 256,
       .accuracy = Composed(4),
       .samples = InReach()},
  };
  return rows;
}

}  // namespace plumb::topics
