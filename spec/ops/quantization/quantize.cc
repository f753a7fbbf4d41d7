#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

// A single slice is quantised as the whole tensor is: its range comes back as scalars.
Shapes QuantizeShapes(const ShapeContext& c) {
  PartialShape range = RangeAlongAxis(c, 1);
  if (range.rank() == 1 && range.dim(0) <= 1) {
    range = range.dim(0) == 1 ? PartialShape(Shape()) : range.dim(0) == 0 ? range : PartialShape::Unknown();
  }
  return {c.input(0), range, range};
}

}  // namespace

std::span<const OpRow> QuantizationQuantize() {
  static const OpRow rows[] = {
      {.signature = "QuantizeV2(input: float32, min_range: float32, max_range: float32) -> (output: T, output_min: "
                    "float32, output_max: float32)",
       .attrs = "T: type in [quantized]; mode: string = 'MIN_COMBINED' in ['MIN_COMBINED', 'MIN_FIRST', 'SCALED']; "
                "round_mode: string = 'HALF_AWAY_FROM_ZERO' in ['HALF_AWAY_FROM_ZERO', 'HALF_TO_EVEN']; "
                "narrow_range: bool = false; axis: int = -1; ensure_minimum_range: float = 0.00999999978",
       .doc = "The codes nearest to numbers, and the range that the lowest and the highest code stand for: that of the "
              "inputs, widened to hold 0 and to be at least ensure_minimum_range of its larger end (of 1 where that is "
              "less). MIN_COMBINED: codes count from min_range. MIN_FIRST: the same, with min_range rounded to a whole "
              "number of steps. SCALED: 0 is code 0, and one scale fits both ends. Only SCALED rounds halves to even, "
              "or leaves out the lowest code in a narrow_range. With an axis, each slice along it has a range.",
       .shape_fn = QuantizeShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"mode='MIN_COMBINED'/'MIN_FIRST': [n b] -1 2",
                   "mode='SCALED' round_mode='HALF_AWAY_FROM_ZERO'/'HALF_TO_EVEN' narrow_range=false/true: [n b] -1 2",
                   "mode='MIN_COMBINED'/'SCALED' axis=1 narrow_range=false/true: [n 3 b] {-1, -2, 0} {1, 3, 2}",
                   "mode='MIN_COMBINED'/'SCALED' axis=0: [C b] [C] in -4..-1 [C] in 1..5",
                   "mode='MIN_FIRST' ensure_minimum_range=0.5: [b] 0 0.25", "mode='SCALED': [b] 2 5"}},
  };
  return rows;
}

}  // namespace plumb::topics
