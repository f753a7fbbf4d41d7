#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Values CrossGradient(Gradient& g) { return {g.Call("Cross", {g.x(1), g.dy()}), g.Call("Cross", {g.dy(), g.x(0)})}; }

}  // namespace

std::span<const OpRow> MathCross() {
  static const OpRow rows[] = {
      {.signature = "Cross(a: T, b: T) -> (product: T)",
       .attrs = "T: type in [floats, ints]",
       .doc = "The cross products of the vectors of three numbers along the last axis.",
       .gpu = "T in [floats, int64]",
       .shape = "[d... 3] [d... 3] -> [d... 3]",
       .accuracy = Composed(1),
       .gradient = CrossGradient},
  };
  return rows;
}

}  // namespace plumb::topics
