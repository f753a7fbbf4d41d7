#include <limits>

#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

double SmallestOf(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return -65504;
    case DType::kBfloat16:
      return -0x1.fep127;
    case DType::kFloat:
      return std::numeric_limits<float>::lowest();
    default:
      return std::numeric_limits<double>::lowest();
  }
}

// exp(x) times the sum, in the other direction, of dy / exp(y): of the gradients of one sign, whose logarithms exist.
Endpoint OfOneSign(Gradient& g, Endpoint dy) {
  const Endpoint zeros = g.ZerosLike(dy);
  const Endpoint lowest = g.Call("Add", {zeros, g.Scalar(SmallestOf(g.dtype(dy)), g.dtype(dy))});
  const Endpoint log = g.Call("Select", {g.Call("Greater", {dy, zeros}), g.Call("Log", {dy}), lowest});
  const Endpoint back = g.Call("CumulativeLogsumexp", {g.Call("Sub", {log, g.y()}), g.x(1)},
                               {{"exclusive", g.attr<bool>("exclusive")}, {"reverse", !g.attr<bool>("reverse")}});
  return g.Call("Exp", {g.Call("Add", {back, g.x(0)})});
}

Values CumulativeLogsumexpGradient(Gradient& g) {
  const Endpoint above = OfOneSign(g, g.dy()), below = OfOneSign(g, g.Call("Neg", {g.dy()}));
  return {g.Call("Sub", {above, below}), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ReductionCumulativeLogsumexp() {
  static const OpRow rows[] = {
      {.signature = "CumulativeLogsumexp(x: T, axis: Tidx) -> (out: T)",
       .attrs =
           "exclusive: bool = false; reverse: bool = false; T: type in [floats]; Tidx: type = int32 in [int32, int64]",
       .doc = "The logarithms of the sums of exp(x) up to each element along the axis; without the element itself if "
              "exclusive, where the first is -inf, from the end if reverse.",
       .gpu = "T in [floats]",
       .shape = "[d...] ? -> [d...]",
       .cost = 32,
       .accuracy = Composed(4),
       .gradient = CumulativeLogsumexpGradient,
       .samples = {"exclusive=false/true reverse=false/true: [a b c] 1", "[a b] -1", "[a] 0"}},
  };
  return rows;
}

}  // namespace plumb::topics
