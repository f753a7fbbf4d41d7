#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SobolShapes(const ShapeContext& c) {
  for (int i = 0; i < 3; ++i) RequireScalar(c, i);
  return {PartialShape{ConstantSize(c, 1), ConstantSize(c, 0)}};
}

}  // namespace

std::span<const OpRow> RandomSobol() {
  static const OpRow rows[] = {
      {.signature = "SobolSample(dim: int32, num_results: int32, skip: int32) -> (samples: dtype)",
       .attrs = "dtype: type = float32 in [float32, float64]",
       .doc =
           "num_results points of Sobol's sequence in the unit cube of dim dimensions, from point skip + 1 on, where "
           "point 0 is the origin: coordinate j of point n is the exclusive or of the direction numbers of j, as "
           "binary fractions, that the ones of n's Gray code select. There are numbers for 1,111 dimensions.",
       .shape_fn = SobolShapes,
       .cost = 4,
       .samples = {"dtype=float32/float64: 3 20 0", "dtype=float32/float64: 1111 5 1000",
                   "dtype=float32/float64: 2 3 2000000000", "1 7 1", "5 9000 1"}},
  };
  return rows;
}

}  // namespace plumb::topics
