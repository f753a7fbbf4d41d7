#include "spec/ops/convolution/windows.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The op has no data_format: its images are NHWC.
Shapes MaxPoolWithArgmaxShapes(const ShapeContext& c) {
  const PartialShape input = WithRank(c, 0, 4);
  const auto& ksize = FourValues(c, "ksize");
  const auto& strides = FourValues(c, "strides");
  PartialShape output = input;
  for (const int64_t size : ksize) Require(size > 0, "MaxPoolWithArgmax: ksize must be positive, not ", size);
  for (int axis = 1; axis < 4; ++axis) {
    output = WithDim(output, axis,
                     CountWindows(c, input.dim(axis), {ksize[axis], strides[axis]}, c.attr<std::string>("padding")));
  }
  return Shapes(2, output);
}

Shapes MaxPoolGradWithArgmaxShapes(const ShapeContext& c) { return {WithRank(c, 0, 4)}; }

Values MaxPoolWithArgmaxGradient(Gradient& g) {
  return {g.Call("MaxPoolGradWithArgmax", {g.x(), g.dy(0), g.y(1)},
                 SameAttrs(g, {"ksize", "strides", "padding", "include_batch_in_index"}))};
}

}  // namespace

std::span<const OpRow> ConvolutionMaxPoolArgmax() {
  static const OpRow rows[] = {
      {.signature = "MaxPoolWithArgmax(input: T) -> (output: T<either_zero>, argmax: Targmax)",
       .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; Targmax: type = int64 in [int32, int64]; padding: "
                "string in ['SAME', 'VALID']; include_batch_in_index: bool = false; T: type in [floats, ints]",
       .doc = "The first of the largest elements of each window, and where it stands in its image as a row of numbers, "
              "or in the whole batch. The first element counts as largest until one is larger.",
       .gpu = "T in [floats]; Targmax in [int64]",
       .shape_fn = MaxPoolWithArgmaxShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = MaxPoolWithArgmaxGradient,
       .samples = {"ksize=[1, 2, 2, 1]/[1, 3, 2, 1] strides=[1, 1, 1, 1]/[1, 2, 2, 1] padding='SAME'/'VALID' "
                   "include_batch_in_index=false/true: [n 5 6 C] finite"}},
      {.signature = "MaxPoolGradWithArgmax(input: T, grad: T, argmax: Targmax) -> (output: T)",
       .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID']; "
                "include_batch_in_index: bool = false; Targmax: type in [int32, int64]; T: type in [floats, ints]",
       .doc = "The gradient of MaxPoolWithArgmax: each window's gradient goes to the element that argmax names.",
       .cpu = "Targmax in [int64]",
       .gpu = "T in [floats]; Targmax in [int64]",
       .shape_fn = MaxPoolGradWithArgmaxShapes,
       .accuracy = Summation(),
       .samples =
           {"ksize=[1, 2, 2, 1] strides=[1, 2, 2, 1] padding='VALID'/'SAME': "
            "[n 4 6 2] [n 2 3 2] finite [n 2 3 2] in 0..48",
            "ksize=[1, 2, 2, 1] strides=[1, 1, 1, 1] padding='VALID' include_batch_in_index=true: "
            "[1 3 3 C] [1 2 2 C] finite [1 2 2 C] in 0..9",
            "ksize=[1, 2, 2, 1] strides=[1, 1, 1, 1] padding='SAME': [n 3 3 4] [n 3 3 4] finite [n 3 3 4] in 0..36"}},
  };
  return rows;
}

}  // namespace plumb::topics
