#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ScalarShapes(const ShapeContext&) { return {PartialShape(Shape())}; }

}  // namespace

std::span<const OpRow> SummaryHistogram() {
  static const OpRow rows[] = {
      {.signature = "HistogramSummary(tag: string, values: T) -> (summary: string)",
       .attrs = "T: type = float32 in [float32, float64, int32, uint8, int16, int8, int64, bfloat16, uint16, float16, "
                "uint32, uint64]",
       .doc = "A summary with how often values lie in each of fixed ranges, and their sums (Z13). NaN and infinities "
              "are refused.",
       .shape_fn = ScalarShapes,
       .gradient = BlocksGradient(),
       .samples = {"'weights' [d...]", "T in [float32, float64, int32]: '' {-3, 0, 0, 1, 1000, -70000}",
                   "T in [float64]: 'wide' {1e30, -1e30, 1e-30, 1e-11, 0}"}},
  };
  return rows;
}

}  // namespace plumb::topics
