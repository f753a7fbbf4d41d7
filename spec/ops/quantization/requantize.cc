#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

Shapes RequantizeShapes(const ShapeContext& c) {
  RequireScalars(c, 1, c.num_inputs() - 1);
  return WithScalarRange(c.input(0));
}
Shapes ShrunkShapes(const ShapeContext& c) {
  RequireScalars(c, 1, 2);
  return WithScalarRange(c.input(0));
}
Shapes RangeShapes(const ShapeContext& c) {
  RequireScalars(c, 1, 2);
  return {PartialShape(Shape()), PartialShape(Shape())};
}

}  // namespace

std::span<const OpRow> QuantizationRequantize() {
  static const OpRow rows[] = {
      {.signature = "Requantize(input: Tinput, input_min: float32, input_max: float32, requested_output_min: float32, "
                    "requested_output_max: float32) -> (output: out_type, output_min: float32, output_max: float32)",
       .attrs = "Tinput: type in [quantized]; out_type: type in [quantized]",
       .doc = "Codes of the requested range, which must hold 0, for those of another range: from 32 bits to 8, where "
              "quint8 is reached in fixed-point arithmetic with 16 bits behind the point.",
       .cpu = "Tinput in [qint32]; out_type in [qint8, quint8]",
       .shape_fn = RequantizeShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"Tinput in [qint32] out_type in [qint8, quint8]: [a b] -8 8 -1 2",
                   "Tinput in [qint32] out_type in [qint8, quint8]: [b] -100000 100000 0 1",
                   "Tinput in [qint32] out_type in [qint8, quint8]: [b] -3 5 -1 0",
                   "Tinput in [qint32] out_type in [qint8, quint8]: [b] 1 2 0 0"}},
      {.signature = "RequantizationRange(input: Tinput, input_min: float32, input_max: float32) -> (output_min: "
                    "float32, output_max: float32)",
       .attrs = "Tinput: type in [quantized]",
       .doc = "What the least and the greatest code stand for, the least brought down to 0 where it is above.",
       .cpu = "Tinput in [qint32]",
       .shape_fn = RangeShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"Tinput in [qint32]: [a b] -8 8", "Tinput in [qint32]: [b] 1 3", "Tinput in [qint32]: [b] 0 0"}},
      {.signature = "QuantizeDownAndShrinkRange(input: Tinput, input_min: float32, input_max: float32) -> (output: "
                    "out_type, output_min: float32, output_max: float32)",
       .attrs = "Tinput: type in [quantized]; out_type: type in [quantized]",
       .doc = "Requantize to the range that RequantizationRange finds.",
       .cpu = "Tinput in [qint32]; out_type in [quint8]",
       .shape_fn = ShrunkShapes,
       .samples = {"Tinput in [qint32] out_type in [quint8]: [a b] -8 8",
                   "Tinput in [qint32] out_type in [quint8]: [b] 1 3",
                   "Tinput in [qint32] out_type in [quint8]: [b] 0 0"}},
  };
  return rows;
}

}  // namespace plumb::topics
