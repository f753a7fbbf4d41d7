#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

Shapes RangeShapes(const ShapeContext& c) {
  for (const int i : {1, 2}) WithRank(c, i, 1);
  return {PartialShape(Shape()), PartialShape(Shape())};
}

Shapes CodeShapes(const ShapeContext& c) {
  for (const int i : {1, 2}) WithRank(c, i, 1);
  for (const int i : {3, 4}) RequireScalar(c, i);
  return {c.input(0), PartialShape(Shape()), PartialShape(Shape())};
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
      {.signature = "RequantizePerChannel(input: T, input_min: float32, input_max: float32, requested_output_min: "
                    "float32, requested_output_max: float32) -> (output: out_type, output_min: float32, output_max: "
                    "float32)",
       .attrs = "T: type = qint32 in [quantized]; out_type: type = quint8 in [quantized]",
       .doc = "Codes of images whose channels have ranges of their own, or one for all, as codes of a range around 0: "
              "the larger end of the channel's range over the larger end of the requested one, in 255 steps for "
              "quint8 and 127 for qint8, to the nearest code, or to the even one of two.",
       .cpu = "T in [qint32]; out_type in [qint8, quint8]",
       .shape_fn = CodeShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"[A B C 3] {-1, -2, 0} {1, 3, 2} -2 1", "[A B 2 D] [D] in -4..-1 [D] in 1..5 -1 3",
                   "[2 B C 4] {-1} {1} -0.01 0.005"}},
  };
  return rows;
}

}  // namespace plumb::topics
