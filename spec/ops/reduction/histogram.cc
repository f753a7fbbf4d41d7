#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes HistogramShapes(const ShapeContext& c) {
  MergeDims(c, WithRank(c, 1, 1).dim(0), 2);
  RequireScalar(c, 2);
  const int64_t bins = ConstantSize(c, 2);
  Require(bins != 0, c.op().name, ": nbins must be positive, not 0");
  return {PartialShape{bins}};
}

}  // namespace

std::span<const OpRow> ReductionHistogram() {
  static const OpRow rows[] = {
      {.signature = "HistogramFixedWidth(values: T, value_range: T, nbins: int32) -> (out: dtype)",
       .attrs = "T: type in [int32, int64, float32, float64]; dtype: type = int32 in [int32, int64]",
       .doc = "How many values lie in each of nbins equal parts of the range. Smaller values count in the first part, "
              "greater ones in the last; NaN is an error.",
       .gpu = "T in [float32, float64]; dtype in [int32]",
       .shape_fn = HistogramShapes,
       .samples = {"T in [int32, int64]: [d...] in -5..25 {0, 20} 7", "T in [int32, int64]: [n] {-4, 9} 3",
                   "T in [float32, float64]: [n] finite {-1, 1.5} 10", "T in [float32, float64]: [a b] {0, 2} 1"}},
  };
  return rows;
}

}  // namespace plumb::topics
