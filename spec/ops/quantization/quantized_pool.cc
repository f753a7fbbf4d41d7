#include "spec/ops/convolution/windows.h"
#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

// Images are in the order batch, height, width, channels. Channels are pooled by windows that are no single one.
Shapes PoolShapes(const ShapeContext& c, bool over_channels) {
  const auto &ksize = FourValues(c, "ksize"), &strides = FourValues(c, "strides");
  PartialShape output = WithRank(c, 0, 4);
  for (int axis = 1; axis < (over_channels ? 4 : 3); ++axis) {
    Require(strides[axis] > 0, c.op().name, ": strides must be positive, not ", strides[axis]);
    if (axis == 3 && ksize[axis] == 1) continue;
    const int64_t windows =
        CountWindows(c, output.dim(axis), {ksize[axis], strides[axis]}, c.attr<std::string>("padding"));
    output = WithDim(output, axis, windows);
  }
  RequireScalars(c, 1, 2);
  return WithScalarRange(output);
}
Shapes MaxPoolShapes(const ShapeContext& c) { return PoolShapes(c, true); }
Shapes AvgPoolShapes(const ShapeContext& c) { return PoolShapes(c, false); }

constexpr char kAttrs[] =
    "T: type in [quantized]; ksize: list(int); strides: list(int); padding: string in ['SAME', 'VALID']";

}  // namespace

std::span<const OpRow> QuantizationQuantizedPool() {
  static const OpRow rows[] = {
      {.signature = "QuantizedMaxPool(input: T, min_input: float32, max_input: float32) -> (output: T, min_output: "
                    "float32, max_output: float32)",
       .attrs = kAttrs,
       .doc = "MaxPool of codes; the range stays as it is.",
       .cpu = "T in [qint8, quint8]",
       .shape_fn = MaxPoolShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"T in [qint8, quint8] ksize=[1, 2, 2, 1]/[1, 3, 2, 1] strides=[1, 1, 1, 1]/[1, 2, 2, 1] "
                   "padding='SAME'/'VALID': [n 5 6 C] -1 2",
                   "T in [qint8, quint8] ksize=[1, 1, 1, 2] strides=[1, 1, 1, 2] padding='VALID': [n 3 2 8] 0 1"}},
      {.signature = "QuantizedAvgPool(input: T, min_input: float32, max_input: float32) -> (output: T, min_output: "
                    "float32, max_output: float32)",
       .attrs = kAttrs,
       .doc = "The mean of the codes of each window that lie inside the image, cut off towards 0; the range stays as "
              "it is.",
       .cpu = "T in [qint8, quint8]",
       .shape_fn = AvgPoolShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"T in [qint8, quint8] ksize=[1, 2, 2, 1]/[1, 3, 2, 1] strides=[1, 1, 1, 1]/[1, 2, 2, 1] "
                   "padding='SAME'/'VALID': [n 5 6 C] -1 2"}},
  };
  return rows;
}

}  // namespace plumb::topics
