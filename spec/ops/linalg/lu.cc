#include "spec/ops/linalg/matrices.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes LuShapes(const ShapeContext &c) {
  const PartialShape factors = SquareMatrices(c).front();
  return {factors, factors.has_rank() ? Part(factors, 0, factors.rank() - 1) : PartialShape::Unknown()};
}

}  // namespace

std::span<const OpRow> LinalgLu() {
  static const OpRow rows[] = {
      {.signature = "Lu(input: T) -> (lu: T, p: output_idx_type) may_be_singular",
       .attrs = "T: type in [float64, float32, float16, complexes]; "
                "output_idx_type: type = int32 in [int32, int64]",
       .doc = "Each square matrix' factors by elimination with partial "
              "pivoting, in one matrix: U, and below its "
              "diagonal L, whose own is one. Row i of L·U is row p[i] of the "
              "input. Of equal pivots the first is "
              "taken. INVALID_ARGUMENT where a pivot is zero.",
       .cpu = "T in [float64, float32, complexes]",
       .gpu = "T in [float32, float64, complexes]",
       .shape_fn = LuShapes,
       .cost = 64,
       .accuracy = Composed(1),
       .samples = {"[b... 1 1] positive", "output_idx_type=int32/int64: [b... 2 2] finite",
                   "{{2, -1, 0}, {4, 3, 1}, {-2, 5, 9}}",
                   "a = Identity T=$T: [5 9] finite; m = BatchMatMulV2 T=$T "
                   "adj_y=true: a a; m",
                   "[0 0]", "[b 0 0]"}},
  };
  return rows;
}

}  // namespace plumb::topics
