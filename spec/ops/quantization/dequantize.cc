#include "spec/graph/int32_attr.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// Ranges are scalars, or vectors with an entry for each slice along `axis`.
Shapes DequantizeShapes(const ShapeContext& c) {
  const int64_t axis = Int32Attr(c.attrs(), "axis");
  Require(axis >= -1, "Dequantize: axis must be at least -1, not ", axis);
  if (axis < 0) {
    RequireScalar(c, 1);
    RequireScalar(c, 2);
    return {c.input(0)};
  }
  WithRank(c, 1, 1);  // how long it is, the kernel looks at
  const int64_t slices = WithRank(c, 2, 1).dim(0);
  const PartialShape& input = WithRankAtLeast(c, 0, axis + 1);
  return {input.has_rank()
              ? WithDim(input, static_cast<int>(axis), MergeDims(c, slices, input.dim(static_cast<int>(axis))))
              : input};
}

}  // namespace

std::span<const OpRow> QuantizationDequantize() {
  static const OpRow rows[] = {
      {.signature = "Dequantize(input: T, min_range: float32, max_range: float32) -> (output: dtype)",
       .attrs = "T: type in [quantized]; mode: string = 'MIN_COMBINED' in ['MIN_COMBINED', 'MIN_FIRST', 'SCALED']; "
                "narrow_range: bool = false; axis: int = -1; dtype: type = float32 in [bfloat16, float32]",
       .doc = "The numbers that codes stand for. MIN_COMBINED: the lowest code is min_range, the highest max_range. "
              "MIN_FIRST: the same, with min_range rounded to a whole number of steps. SCALED: code times the larger "
              "of the scales that both ends of the range give, without the lowest code in a narrow_range. With an "
              "axis, each slice along it has a range of its own.",
       .shape_fn = DequantizeShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"mode='MIN_COMBINED'/'MIN_FIRST': [n b] -1 2", "mode='MIN_FIRST': [n b] -4 4",
                   "mode='SCALED' narrow_range=false/true: [n b] -1 2",
                   "mode='MIN_COMBINED'/'SCALED' narrow_range=false/true axis=1: "
                   "[n 3 b] {-1, -2, 0} {1, 3, 2}",
                   "mode='MIN_COMBINED' axis=0: [C] [C] in -4..-1 [C] in 1..5"}},
  };
  return rows;
}

}  // namespace plumb::topics
