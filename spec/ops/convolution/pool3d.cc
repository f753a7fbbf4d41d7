#include "spec/ops/convolution/volumes.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes Pool3DShapes(const ShapeContext& c) { return PooledVolume(c); }
// The gradient is of the volumes, and what was pooled is as the result.
Shapes MaxPool3DGradGradShapes(const ShapeContext& c) {
  MergeInputs(c, 0, 2);
  return {MergeShapes(c, c.input(1), PooledVolume(c).at(0))};
}
Shapes AvgPool3DGradShapes(const ShapeContext& c) { return {VolumeShape(c, 0)}; }

AttrMap PoolAttrs(Gradient& g) { return SameAttrs(g, {"ksize", "strides", "padding", "data_format"}); }

Values MaxPool3DGradient(Gradient& g) { return {g.Call("MaxPool3DGrad", {g.x(), g.y(), g.dy()}, PoolAttrs(g))}; }
Values MaxPool3DGradGradient(Gradient& g) {
  return {g.ZerosLike(g.x(0)), g.ZerosLike(g.x(1)),
          g.Call("MaxPool3DGradGrad", {g.x(0), g.x(1), g.dy()}, PoolAttrs(g))};
}
Values MaxPool3DGradGradGradient(Gradient& g) {
  return {g.ZerosLike(g.x(0)), g.ZerosLike(g.x(1)), g.Call("MaxPool3DGrad", {g.x(0), g.x(1), g.dy()}, PoolAttrs(g))};
}
Values AvgPool3DGradient(Gradient& g) { return {g.Call("AvgPool3DGrad", {g.ShapeOf(g.x()), g.dy()}, PoolAttrs(g))}; }
Values AvgPool3DGradGradient(Gradient& g) {
  return {GradientValue::None(), g.Call("AvgPool3D", {g.dy()}, PoolAttrs(g))};
}

constexpr const char* kFollows = "it expects what the op before it left, and is tried with it";

}  // namespace

std::span<const OpRow> ConvolutionPool3d() {
  static const OpRow rows[] = {
      {.signature = "MaxPool3D(input: T) -> (output: T<either_zero>)",
       .attrs = "ksize: list(int) >= 5; strides: list(int) >= 5; padding: string in ['SAME', 'VALID']; data_format: "
                "string = 'NDHWC' in ['NDHWC', 'NCDHW']; T: type in [float16, bfloat16, float32]",
       .doc = "The largest element of each window of a volume; padding never wins.",
       .cpu = "T in [bfloat16, float32]",
       .gpu = "T in [float32]",
       .shape_fn = Pool3DShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = MaxPool3DGradient,
       .gradient_trial = {.order = 3},
       .samples = {"ksize=[1, 2, 2, 2, 1]/[1, 1, 3, 2, 1] strides=[1, 1, 1, 1, 1]/[1, 2, 2, 3, 1] "
                   "padding='SAME'/'VALID': [n 3 4 5 C] finite"}},
      {.signature = "MaxPool3DGrad(orig_input: TInput, orig_output: TInput, grad: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 5; strides: list(int) >= 5; padding: string in ['SAME', 'VALID']; data_format: "
                "string = 'NDHWC' in ['NDHWC', 'NCDHW']; T: type = float32 in [float16, bfloat16, float32]; TInput: "
                "type = float32 in [float16, bfloat16, float32]",
       .doc = "The gradient of MaxPool3D: each window's gradient goes to all of its elements that are less than 1e-5 "
              "away from orig_output.",
       .cpu = "T in [bfloat16, float32]; TInput in [bfloat16, float32]",
       .gpu = "T in [float32]; TInput in [float32]",
       .shape = "[a b c d e] ? ? -> [a b c d e]",
       .accuracy = Summation(),
       .gradient = MaxPool3DGradGradient,
       .gradient_trial = {.untried = kFollows},
       .samples = {"ksize=[1, 2, 2, 2, 1] strides=[1, 2, 2, 2, 1] padding='VALID'/'SAME': "
                   "[n 2 4 6 C] in 0..2 [n 1 2 3 C] in 0..2 [n 1 2 3 C] finite",
                   "ksize=[1, 1, 3, 2, 1] strides=[1, 1, 1, 1, 1] padding='SAME': "
                   "[n 2 3 3 C] in 0..2 [n 2 3 3 C] in 0..2 [n 2 3 3 C] finite"}},
      {.signature = "MaxPool3DGradGrad(orig_input: T, orig_output: T, grad: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 5; strides: list(int) >= 5; padding: string in ['SAME', 'VALID']; data_format: "
                "string = 'NDHWC' in ['NDHWC', 'NCDHW']; T: type in [floats, ints]",
       .doc = "The gradient of MaxPool3DGrad by its grad: of each window, the element of grad that stands where "
              "orig_input first equals the window's orig_output; 0 where it never does. No input may be empty.",
       .cpu = "T in [bfloat16, float32]",
       .gpu = "T in [float32]",
       .shape_fn = MaxPool3DGradGradShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = MaxPool3DGradGradGradient,
       .gradient_trial = {.untried = kFollows},
       .samples = {"ksize=[1, 2, 2, 2, 1] strides=[1, 2, 2, 2, 1] padding='VALID'/'SAME': "
                   "[N 2 4 6 C] in 0..2 [N 1 2 3 C] in 0..2 [N 2 4 6 C] finite",
                   "ksize=[1, 1, 3, 2, 1] strides=[1, 1, 1, 1, 1] padding='SAME': "
                   "[N 2 3 3 C] in 0..2 [N 2 3 3 C] in 0..2 [N 2 3 3 C] finite"}},
      {.signature = "AvgPool3D(input: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 5; strides: list(int) >= 5; padding: string in ['SAME', 'VALID']; data_format: "
                "string = 'NDHWC' in ['NDHWC', 'NCDHW']; T: type in [floats]",
       .doc = "The mean of each window of a volume, counting only elements of the input.",
       .cpu = "T in [bfloat16, float32]",
       .gpu = "T in [float32]",
       .shape_fn = Pool3DShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .gradient = AvgPool3DGradient,
       .gradient_trial = {.order = 2},
       .samples = {"ksize=[1, 2, 2, 2, 1]/[1, 1, 3, 2, 1] strides=[1, 1, 1, 1, 1]/[1, 2, 2, 3, 1] "
                   "padding='SAME'/'VALID': [n 3 4 5 C]"}},
      {.signature = "AvgPool3DGrad(orig_input_shape: int32, grad: T) -> (output: T)",
       .attrs = "ksize: list(int) >= 5; strides: list(int) >= 5; padding: string in ['SAME', 'VALID']; data_format: "
                "string = 'NDHWC' in ['NDHWC', 'NCDHW']; T: type in [floats]",
       .doc = "The gradient of AvgPool3D: each window's gradient in equal parts to its elements. The shape of the "
              "result is orig_input_shape.",
       .cpu = "T in [bfloat16, float32]",
       .gpu = "T in [float32]",
       .shape_fn = AvgPool3DGradShapes,
       .accuracy = Summation(),
       .gradient = AvgPool3DGradGradient,
       .samples = {"ksize=[1, 2, 2, 2, 1] strides=[1, 2, 2, 2, 1] padding='VALID'/'SAME': {n, 2, 4, 6, C} [n 1 2 3 C]",
                   "ksize=[1, 1, 3, 2, 1] strides=[1, 1, 1, 1, 1] padding='SAME': {n, 2, 3, 3, C} [n 2 3 3 C]"}},
  };
  return rows;
}

}  // namespace plumb::topics
