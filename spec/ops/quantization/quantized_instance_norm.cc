#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

Shapes InstanceNormShapes(const ShapeContext& c) {
  const PartialShape images = WithRank(c, 0, 4);
  RequireScalars(c, 1, 2);
  return WithScalarRange(images);
}

}  // namespace

std::span<const OpRow> QuantizationQuantizedInstanceNorm() {
  static const OpRow rows[] = {
      {.signature = "QuantizedInstanceNorm(x: T, x_min: float32, x_max: float32) -> (y: T, y_min: float32, y_max: "
                    "float32)",
       .attrs = "T: type in [quantized]; output_range_given: bool = false; given_y_min: float = 0.0; given_y_max: "
                "float = 0.0; variance_epsilon: float = 0.00001; min_separation: float = 0.001",
       .doc = "Each channel of each image less its mean, by its deviation, as codes of the range that the results "
              "have, or of the given one; one narrower than min_separation is widened upwards to that.",
       .cpu = "T in [quint8]",
       .shape_fn = InstanceNormShapes,
       .accuracy = Composed(4),
       .samples = {"T in [quint8]: [A B C 5] -1 2", "T in [quint8] variance_epsilon=0.5: [2 3 3 2] 0 6",
                   "T in [quint8] output_range_given=true given_y_min=-1.5 given_y_max=2.0: [A B C 3] -4 0.5",
                   "T in [quint8] min_separation=9.0: [1 4 4 1] 0 1"}},
  };
  return rows;
}

}  // namespace plumb::topics
