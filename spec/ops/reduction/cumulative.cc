#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

// A running sum in the opposite direction.
Endpoint SumBack(Gradient& g, Endpoint value) {
  return g.Call("Cumsum", {value, g.x(1)},
                {{"exclusive", g.attr<bool>("exclusive")}, {"reverse", !g.attr<bool>("reverse")}});
}

Values CumsumGradient(Gradient& g) { return {SumBack(g, g.dy()), GradientValue::None()}; }

// The products that an element is part of, each divided by that element; a zero element leaves NaN, as in TensorFlow.
Values CumprodGradient(Gradient& g) {
  const Endpoint sum = SumBack(g, g.Call("Mul", {g.y(), g.dy()}));
  return {g.Call("RealDiv", {sum, g.x(0)}), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ReductionCumulative() {
  static const OpRow rows[] = {
      {.signature = "Cumsum(x: T, axis: Tidx) -> (out: T)",
       .attrs =
           "exclusive: bool = false; reverse: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in "
           "[int32, int64]",
       .doc = "The sums of the elements up to each one along the axis; without the element itself if exclusive, from "
              "the end if reverse.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats]",
       .shape = "[d...] ? -> [d...]",
       .accuracy = Summation(),
       .gradient = CumsumGradient,
       .samples = {"exclusive=false/true reverse=false/true: [a b c] 1", "[a b] -1", "[a] 0"}},
      {.signature = "Cumprod(x: T, axis: Tidx) -> (out: T)",
       .attrs =
           "exclusive: bool = false; reverse: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in "
           "[int32, int64]",
       .doc =
           "The products of the elements up to each one along the axis; without the element itself if exclusive, from "
           "the end if reverse.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats]",
       .shape = "[d...] ? -> [d...]",
       .accuracy = Composed(1),
       .gradient = CumprodGradient,
       .samples = {"exclusive=false/true reverse=false/true: [a b c] 1", "[a b] -1", "[a] 0"}},
  };
  return rows;
}

}  // namespace plumb::topics
