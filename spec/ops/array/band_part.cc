#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"
#include "spec/ops/shapes_of_the_run.h"

namespace plumb::topics {
namespace {

Values MatrixBandPartGradient(Gradient& g) {
  return {g.Call("MatrixBandPart", {g.dy(), g.x(1), g.x(2)}), GradientValue::None(), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ArrayBandPart() {
  static const OpRow rows[] = {
      {.signature = "MatrixBandPart(input: T, num_lower: Tindex, num_upper: Tindex) -> (band: T) hands_on",
       .attrs = "T: type; Tindex: type = int64 in [int32, int64]",
       .doc = "Each matrix of the last two dimensions with zeros outside of a band: num_lower diagonals below the main "
              "one and num_upper above it stay; a negative number keeps all.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, bool]",
       .shape_fn = LikeFirst,
       .gradient = MatrixBandPartGradient,
       .samples = {"[b n n] 0 0", "[a 4 5] 1 2", "[a b 5 3] -1 0", "[R C] 1 -1", "[R C] -1 -1", "[4 n] 4 1",
                   "[n 3] 0 3"}},
      {.signature = "BatchMatrixBandPart(input: T, num_lower: int64, num_upper: int64) -> (band: T) hands_on",
       .attrs = "T: type",
       .doc = "An older name of MatrixBandPart; its shape is not known before the run.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats]",
       .shape_fn = ShapesOfTheRun,
       .samples = {"[b n n] 0 0", "[a 4 5] 1 2", "[a b 5 3] -1 0", "[R C] 1 -1", "[R C] -1 -1", "[4 n] 4 1",
                   "[n 3] 0 3"},
       .deprecated = {14, "Use MatrixBandPart"}},
  };
  return rows;
}

}  // namespace plumb::topics
