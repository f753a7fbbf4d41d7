#include <algorithm>

#include "spec/ops/convolution/windows.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes MaxPoolShapes(const ShapeContext& c) {
  return {Pooled(c, ExplicitPaddings(c, c.attr<std::string>("padding")), true)};
}
// Input 0 pooled; the sizes are input `first` and the one behind it.
PartialShape PooledBy(const ShapeContext& c, int first) {
  WithRank(c, 0, 4);
  for (const int i : {first, first + 1}) MergeDims(c, WithRank(c, i, 1).dim(0), 4);
  const auto ksize = ConstantInts(c, first), strides = ConstantInts(c, first + 1);
  if (!ksize || !strides) return PartialShape();
  // Of windows that hold nothing there may be more than the image has elements: the kernel counts them.
  if (std::ranges::any_of(*ksize, [](int64_t size) { return size <= 0; })) return PartialShape();
  return Pooled(c, *ksize, *strides, {}, true);
}
Shapes MaxPoolV2Shapes(const ShapeContext& c) { return {PooledBy(c, 1)}; }

// The gradient is of the images, and what was pooled is as the result.
Shapes MaxPoolGradGradShapes(const ShapeContext& c) {
  MergeInputs(c, 0, 2);
  return {MergeShapes(c, c.input(1), Pooled(c, {}, true))};
}
Shapes MaxPoolGradGradV2Shapes(const ShapeContext& c) {
  MergeInputs(c, 0, 2);
  return {MergeShapes(c, c.input(1), PooledBy(c, 3))};
}
AttrMap PoolAttrs(Gradient& g) {
  return SameAttrs(g, {"ksize", "strides", "padding", "explicit_paddings", "data_format"});
}
Values MaxPoolGradient(Gradient& g) { return {g.Call("MaxPoolGrad", {g.x(), g.y(), g.dy()}, PoolAttrs(g))}; }

Values MaxPoolGradGradient(Gradient& g) {
  return {g.ZerosLike(g.x(0)), g.ZerosLike(g.x(1)),
          g.Call("MaxPoolGradGrad", {g.x(0), g.x(1), g.dy()},
                 SameAttrs(g, {"ksize", "strides", "padding", "data_format"}))};
}

Values MaxPoolGradGradGradient(Gradient& g) {
  return {g.ZerosLike(g.x(0)), g.ZerosLike(g.x(1)), g.Call("MaxPoolGrad", {g.x(0), g.x(1), g.dy()}, PoolAttrs(g))};
}

AttrMap V2Attrs(Gradient& g) { return SameAttrs(g, {"padding", "data_format"}); }
Values MaxPoolV2Gradient(Gradient& g) {
  return {g.Call("MaxPoolGradV2", {g.x(0), g.y(), g.dy(), g.x(1), g.x(2)}, V2Attrs(g)), GradientValue::None(),
          GradientValue::None()};
}
Values MaxPoolGradV2Gradient(Gradient& g) {
  return {g.ZerosLike(g.x(0)), g.ZerosLike(g.x(1)),
          g.Call("MaxPoolGradGradV2", {g.x(0), g.x(1), g.dy(), g.x(3), g.x(4)}, V2Attrs(g)), GradientValue::None(),
          GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ConvolutionMaxPool() {
  static const OpRow rows[] = {
      {.signature = "MaxPool(input: T) -> (output: T<either_zero>)",
       .attrs = "T: type = float32 in [floats, int32, int64, uint8, int16, int8, uint16, qint8]; ksize: "
                "list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID', 'EXPLICIT']; "
                "explicit_paddings: list(int) = []; data_format: string = 'NHWC' in ['NHWC', 'NCHW', "
                "'NCHW_VECT_C']",
       .doc = "The largest element of each window; padding never wins.",
       .cpu = "T in [floats, int16, int32, int64, int8, uint16, uint8]",
       .gpu = "T in [floats]",
       .shape_fn = MaxPoolShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = MaxPoolGradient,
       .gradient_trial = {.order = 3},
       .samples = {"ksize=[1, 2, 2, 1]/[1, 3, 2, 1] strides=[1, 1, 1, 1]/[1, 2, 2, 1] padding='SAME'/'VALID': "
                   "[n 5 6 C] finite"}},
      {.signature = "MaxPoolGrad(orig_input: T, orig_output: T, grad: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID', "
                "'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = 'NHWC' in ['NHWC', "
                "'NCHW']; T: type = float32 in [floats, ints]",
       .doc = "The gradient of MaxPool: each window's gradient goes to its first largest element, found anew "
              "in orig_input.",
       .gpu = "T in [floats]",
       .shape = "[a b c e] ? ? -> [a b c e]",
       .accuracy = Summation(),
       .gradient = MaxPoolGradGradient,
       .gradient_trial = {.untried = "it expects what the op before it left, and is tried with it"},
       .samples =
           {"ksize=[1, 2, 2, 1] strides=[1, 2, 2, 1] padding='VALID'/'SAME': "
            "[n 4 6 C] finite [n 2 3 C] [n 2 3 C] finite",
            "ksize=[1, 3, 3, 1] strides=[1, 1, 1, 1] padding='SAME': [n 4 5 C] finite [n 4 5 C] [n 4 5 C] finite"}},
      {.signature = "MaxPoolGradGrad(orig_input: T, orig_output: T, grad: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 4; strides: list(int) >= 4; padding: string in ['SAME', 'VALID']; "
                "data_format: string = 'NHWC' in ['NHWC', 'NCHW']; T: type in [floats, ints]",
       .doc = "The gradient of MaxPoolGrad by its grad: of each window, the element of grad that stands where "
              "orig_input first equals the window's orig_output; 0 where it never does.",
       .gpu = "T in [floats]",
       .shape_fn = MaxPoolGradGradShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = MaxPoolGradGradGradient,
       .gradient_trial = {.untried = "it expects what the op before it left, and is tried with it"},
       .samples = {"ksize=[1, 2, 2, 1] strides=[1, 2, 2, 1] padding='VALID'/'SAME': "
                   "[n 4 6 C] in 0..2 [n 2 3 C] in 0..2 [n 4 6 C] finite",
                   "ksize=[1, 3, 3, 1] strides=[1, 1, 1, 1] padding='SAME': "
                   "[n 4 5 C] in 0..2 [n 4 5 C] in 0..2 [n 4 5 C] finite"}},
      {.signature = "MaxPoolV2(input: T, ksize: int32, strides: int32) -> (output: T<either_zero>)",
       .attrs = "T: type = float32 in [floats, int32, int64, uint8, int16, int8, uint16, qint8]; padding: string in "
                "['SAME', 'VALID']; data_format: string = 'NHWC' in ['NHWC', 'NCHW', 'NCHW_VECT_C']",
       .doc = "MaxPool, with sizes and strides as inputs.",
       .cpu = "T in [floats, int16, int32, int64, int8, uint16, uint8]",
       .gpu = "T in [floats]",
       .shape_fn = MaxPoolV2Shapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = MaxPoolV2Gradient,
       .gradient_trial = {.order = 2},
       .samples = {"padding='SAME'/'VALID': [n 5 6 C] finite {1, 2, 2, 1} {1, 1, 1, 1}",
                   "padding='SAME'/'VALID': [n 5 6 C] finite {1, 3, 2, 1} {1, 2, 2, 1}"}},
      {.signature =
           "MaxPoolGradV2(orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32) -> (output: T)",
       .attrs = "padding: string in ['SAME', 'VALID']; data_format: string = 'NHWC' in ['NHWC', 'NCHW']; T: type = "
                "float32 in [floats, ints]",
       .doc = "MaxPoolGrad, with sizes and strides as inputs.",
       .gpu = "T in [floats]",
       .shape = "[a b c e] ? ? ? ? -> [a b c e]",
       .accuracy = Summation(),
       .gradient = MaxPoolGradV2Gradient,
       .gradient_trial = {.untried = "it expects what the op before it left, and is tried with it"},
       .samples = {"padding='VALID'/'SAME': "
                   "[n 4 6 C] finite [n 2 3 C] [n 2 3 C] finite {1, 2, 2, 1} {1, 2, 2, 1}",
                   "padding='SAME': [n 4 5 C] finite [n 4 5 C] [n 4 5 C] finite {1, 3, 3, 1} {1, 1, 1, 1}"}},
      {.signature =
           "MaxPoolGradGradV2(orig_input: T, orig_output: T, grad: T, ksize: int32, strides: int32) -> (output: T)",
       .attrs = "padding: string in ['SAME', 'VALID']; data_format: string = 'NHWC' in ['NHWC', 'NCHW']; T: type in "
                "[floats, ints]",
       .doc = "MaxPoolGradGrad, with sizes and strides as inputs.",
       .gpu = "T in [floats]",
       .shape_fn = MaxPoolGradGradV2Shapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"padding='VALID'/'SAME': [n 4 6 C] in 0..2 [n 2 3 C] in 0..2 [n 4 6 C] finite {1, 2, 2, 1} "
                   "{1, 2, 2, 1}",
                   "padding='SAME': [n 4 5 C] in 0..2 [n 4 5 C] in 0..2 [n 4 5 C] finite {1, 3, 3, 1} {1, 1, 1, 1}"}},
  };
  return rows;
}

}  // namespace plumb::topics
