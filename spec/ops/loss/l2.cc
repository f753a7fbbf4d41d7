#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Values L2LossGradient(Gradient& g) { return {g.Call("Mul", {g.x(), g.dy()})}; }

}  // namespace

std::span<const OpRow> LossL2() {
  static const OpRow rows[] = {
      {.signature = "L2Loss(t: T) -> (output: T)",
       .attrs = "T: type in [floats]",
       .doc = "Half the sum of the squares of all elements.",
       .gpu = "all",
       .shape = "? -> []",
       .accuracy = Summation(),
       .gradient = L2LossGradient},
  };
  return rows;
}

}  // namespace plumb::topics
