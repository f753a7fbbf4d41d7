#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

Shapes RangeShapes(const ShapeContext& c) {
  for (const int i : {1, 2}) WithRank(c, i, 1);
  return {PartialShape(Shape()), PartialShape(Shape())};
}

}  // namespace

std::span<const OpRow> QuantizationRequantizePerChannel() {
  static const OpRow rows[] = {
      {.signature = "RequantizationRangePerChannel(input: T, input_min: float32, input_max: float32) -> (output_min: "
                    "float32, output_max: float32)",
       .attrs = "T: type = qint32 in [quantized]; clip_value_max: float",
       .doc = "A range for images whose channels have ranges of their own: up to the farthest number that a code "
              "stands for, but not beyond clip_value_max, and as far down, or down to 0 where no code is negative.",
       .cpu = "T in [qint32]",
       .shape_fn = RangeShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"clip_value_max=6.0: [A B C 3] {-1, -2, 0} {1, 3, 2}",
                   "clip_value_max=0.5: [A B 2 D] [D] in -4..-1 [D] in 1..5"}},
  };
  return rows;
}

}  // namespace plumb::topics
