#include "spec/ops/convolution/windows.h"
#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

Shapes ConvolutionShapes(const ShapeContext &c) {
  RequireScalars(c, 2, 5);
  const PartialShape input = WithRank(c, 0, 4), filter = WithRank(c, 1, 4);
  const auto &strides = FourValues(c, "strides"), &dilations = FourValues(c, "dilations");
  const auto &padding = c.attr<std::string>("padding");
  const int64_t depth = input.dim(3), filter_depth = filter.dim(2);
  Require(depth <= 0 || filter_depth <= 0 || depth % filter_depth == 0, "QuantizedConv2D: the depth ", depth,
          " is no multiple of the filter's input depth ", filter_depth);
  const int64_t rows = CountWindows(c, input.dim(1), {filter.dim(0), strides[1], dilations[1]}, padding);
  const int64_t columns = CountWindows(c, input.dim(2), {filter.dim(1), strides[2], dilations[2]}, padding);
  return WithScalarRange({input.dim(0), rows, columns, filter.dim(3)});
}

}  // namespace

std::span<const OpRow> QuantizationQuantizedConv2d() {
  static const OpRow rows[] = {
      {.signature = "QuantizedConv2D(input: Tinput, filter: Tfilter, min_input: float32, max_input: float32, "
                    "min_filter: float32, max_filter: float32) -> (output: out_type, min_output: float32, max_output: "
                    "float32)",
       .attrs = "Tinput: type in [quantized]; Tfilter: type in [quantized]; out_type: type = qint32 in [quantized]; "
                "strides: list(int); padding: string in ['SAME', 'VALID']; dilations: list(int) = [1, 1, 1, 1]",
       .doc = "The convolution of images of codes with a filter of codes, each counted from the code of 0, modulo "
              "2^32. Windows have one stride both ways. Where they do not fill the image, they are moved to its "
              "middle. In the padding is the code of 0, or its lowest 8 bits where it is above the highest code.",
       .cpu = "Tinput in [quint8]; Tfilter in [quint8]; out_type in [qint32]",
       .shape_fn = ConvolutionShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"Tinput in [quint8] Tfilter in [quint8] strides=[1, 1, 1, 1] padding='SAME'/'VALID' dilations=[1, "
                   "1, 1, 1]: [A 5 6 2] [3 2 2 D] -1 2 -3 1",
                   "Tinput in [quint8] Tfilter in [quint8] strides=[1, 2, 2, 1] padding='SAME'/'VALID' dilations=[1, "
                   "1, 1, 1]: [A 7 5 C] [2 3 C D] 0 6 1 2",
                   "Tinput in [quint8] Tfilter in [quint8] strides=[1, 4, 4, 1] padding='SAME'/'VALID' dilations=[1, "
                   "1, 1, 1]: [A 8 9 1] [1 1 1 D] -3 -2 -1 1"}},
  };
  return rows;
}

}  // namespace plumb::topics
