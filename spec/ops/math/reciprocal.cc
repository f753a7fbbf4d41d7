#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Values ReciprocalGradient(Gradient& g) { return {g.Call("ReciprocalGrad", {g.y(), g.dy()})}; }
Values InvGradient(Gradient& g) { return ReciprocalGradient(g); }

// z = −dy·y².
Values ReciprocalGradGradient(Gradient& g) {
  const Endpoint y = g.Conjugate(g.x(0)), dz = g.Conjugate(g.dy());
  const Endpoint twice = g.Call("Mul", {dz, g.Scalar(-2, g.dtype(dz))});
  return {g.Call("Mul", {g.Call("Mul", {twice, g.x(1)}), y}), g.Call("ReciprocalGrad", {y, g.dy()})};
}
Values InvGradGradient(Gradient& g) { return ReciprocalGradGradient(g); }

}  // namespace

std::span<const OpRow> MathReciprocal() {
  static const OpRow rows[] = {
      {.signature = "Reciprocal(x: T) -> (y: T)",
       .attrs = "T: type in [floats, int8, int16, int32, int64, complexes]",
       .doc = "1 / x.",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .accuracy = Ulps(3),
       .gradient = ReciprocalGradient,
       .gradient_trial = {.positive = true, .order = 2},
       .samples = {"[d...] positive", "[d...]"}},
      {.signature = "Inv(x: T) -> (y: T)",
       .attrs = "T: type in [floats, int8, int16, int32, int64, complexes]",
       .doc = "1 / x, as Reciprocal.",
       .cpu = "T in [floats, complexes]",
       .gpu = "T in [floats]",
       .shape = "[d...] -> [d...]",
       .accuracy = Composed(4),
       .gradient = InvGradient,
       .gradient_trial = {.positive = true, .order = 2},
       .samples = {"[d...] positive", "[d...]"}},
      {.signature = "ReciprocalGrad(y: T, dy: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The gradient of Reciprocal by its result y: -dy y².",
       .gpu = "T in [floats]",
       .shape = "[d...] ? -> [d...]",
       .accuracy = Composed(1),
       .gradient = ReciprocalGradGradient,
       .samples = {"[d...] [d...]"}},
      {.signature = "InvGrad(y: T, dy: T) -> (z: T)",
       .attrs = "T: type in [floats, complexes]",
       .doc = "The gradient of Inv by its result y: -dy y², as ReciprocalGrad.",
       .gpu = "T in [floats]",
       .shape = "[d...] ? -> [d...]",
       .accuracy = Composed(1),
       .gradient = InvGradGradient,
       .samples = {"[d...] [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
