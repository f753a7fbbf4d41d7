#include "spec/ops/convolution/windows.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes AvgPoolShapes(const ShapeContext& c) { return {Pooled(c, {}, false)}; }
Shapes AvgPoolGradShapes(const ShapeContext& c) { return {ImageShape(c, 0)}; }

// AvgPool and its gradient know no explicit padding.
AttrMap AvgPoolAttrs(Gradient& g) { return SameAttrs(g, {"ksize", "strides", "padding", "data_format"}); }

Values AvgPoolGradient(Gradient& g) { return {g.Call("AvgPoolGrad", {g.ShapeOf(g.x()), g.dy()}, AvgPoolAttrs(g))}; }

Values AvgPoolGradGradient(Gradient& g) {
  return {GradientValue::None(), g.Call("AvgPool", {g.dy()}, AvgPoolAttrs(g))};
}

}  // namespace

std::span<const OpRow> ConvolutionAvgPool() {
  static const OpRow rows[] = {
      {.signature = "AvgPool(value: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID']; "
                "data_format: string = 'NHWC' in ['NHWC', 'NCHW']; T: type in [floats]",
       .doc = "The mean of each window, counting only elements of the input.",
       .cpu = "T in [float16, float32, float64]",
       .gpu = "all",
       .shape_fn = AvgPoolShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .gradient = AvgPoolGradient,
       .gradient_trial = {.order = 2},
       .samples =
           {"ksize=[1, 2, 2, 1]/[1, 3, 2, 1] strides=[1, 1, 1, 1]/[1, 2, 2, 1] padding='SAME'/'VALID': [n 5 6 C]",
            "ksize=[1, 2, 2, 1] strides=[1, 2, 2, 1] padding='VALID': [n 4 2 16]"}},
      {.signature = "AvgPoolGrad(orig_input_shape: int32, grad: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID']; "
                "data_format: string = 'NHWC' in ['NHWC', 'NCHW']; T: type in [floats]",
       .doc = "The gradient of AvgPool: each window's gradient in equal parts to its elements. The shape of "
              "the result is orig_input_shape.",
       .cpu = "T in [float16, float32, float64]",
       .gpu = "all",
       .shape_fn = AvgPoolGradShapes,
       .accuracy = Summation(),
       .gradient = AvgPoolGradGradient,
       .samples = {"ksize=[1, 2, 2, 1] strides=[1, 2, 2, 1] padding='VALID'/'SAME': {n, 4, 6, C} [n 2 3 C]",
                   "ksize=[1, 3, 3, 1] strides=[1, 1, 1, 1] padding='SAME': {n, 4, 5, C} [n 4 5 C]"}},
  };
  return rows;
}

}  // namespace plumb::topics
