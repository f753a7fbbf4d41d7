#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

Shapes BatchNormShapes(const ShapeContext &c) {
  const PartialShape images = WithRank(c, 0, 4);
  int64_t depth = images.dim(3);
  for (int i = 3; i < 15; i += 3) depth = MergeDims(c, depth, WithRank(c, i, 1).dim(0));
  return WithScalarRange(WithDim(images, 3, depth));
}

}  // namespace

std::span<const OpRow> QuantizationQuantizedBatchNorm() {
  static const OpRow rows[] = {
      {.signature = "QuantizedBatchNormWithGlobalNormalization(t: Tinput, t_min: float32, t_max: float32, m: Tinput, "
                    "m_min: float32, m_max: float32, v: Tinput, v_min: float32, v_max: float32, beta: Tinput, "
                    "beta_min: float32, beta_max: float32, gamma: Tinput, gamma_min: float32, gamma_max: float32) -> "
                    "(result: out_type, result_min: float32, result_max: float32)",
       .attrs = "Tinput: type in [quantized]; out_type: type in [quantized]; variance_epsilon: float; "
                "scale_after_normalization: bool",
       .doc = "Images normalised channel by channel with the mean m and the variance v, as codes of 32 bits in the "
              "range of -2^20 to 2^20. Scales and offsets are such codes too.",
       .cpu = "Tinput in [quint8]; out_type in [qint32]",
       .shape_fn = BatchNormShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"Tinput in [quint8] out_type in [qint32] variance_epsilon=0.001 "
                   "scale_after_normalization=false/true: [A B C 5] -1 2 [5] -0.5 0.5 [5] 0 3 "
                   "[5] -2 1 [5] 0.5 2",
                   "Tinput in [quint8] out_type in [qint32] variance_epsilon=1.0 scale_after_normalization=true: [A B "
                   "C 3] 0 6 [3] -1 1 [3] 0 1 [3] 0 0 [3] 1 "
                   "1"}},
  };
  return rows;
}

}  // namespace plumb::topics
