#include "spec/ops/convolution/windows.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// TensorFlow's rule counts dilations; which they are its kernels look at.
Shapes DepthwiseShapes(const ShapeContext& c) {
  const PartialShape input = WithRank(c, 0, 4);
  const PartialShape filter = WithRank(c, 1, 4);
  const auto& strides = FourValues(c, "strides");
  FourValues(c, "dilations");
  const auto& padding = c.attr<std::string>("padding");
  const std::vector<int64_t> paddings = ExplicitPaddings(c, padding);
  const Format format = FormatOf(c);
  const int channel = format.Channel(4);
  const int64_t depth = MergeDims(c, input.dim(channel), filter.dim(2));
  PartialShape output = WithDim(PartialShape::OfRank(4), 0, input.dim(0));
  output = WithDim(output, channel, MultiplySizes(c, depth, filter.dim(3)));
  for (int i = 0; i < 2; ++i) {
    const int axis = format.Spatial(i);
    const Window window{filter.dim(i), strides[axis], 1, PadsOf(paddings, axis)};
    output = WithDim(output, axis, CountWindows(c, input.dim(axis), window, padding));
  }
  return {output};
}

Shapes DepthwiseInputGradientShapes(const ShapeContext& c) { return {ImageShape(c, 0)}; }
Shapes DepthwiseFilterGradientShapes(const ShapeContext& c) { return {ImageShape(c, 1)}; }

AttrMap DepthwiseAttrs(Gradient& g) {
  return SameAttrs(g, {"strides", "padding", "explicit_paddings", "data_format", "dilations"});
}

Values DepthwiseGradient(Gradient& g) {
  return {g.Call("DepthwiseConv2dNativeBackpropInput", {g.ShapeOf(g.x(0)), g.x(1), g.dy()}, DepthwiseAttrs(g)),
          g.Call("DepthwiseConv2dNativeBackpropFilter", {g.x(0), g.ShapeOf(g.x(1)), g.dy()}, DepthwiseAttrs(g))};
}

Values DepthwiseInputGradientGradient(Gradient& g) {
  return {GradientValue::None(),
          g.Call("DepthwiseConv2dNativeBackpropFilter", {g.dy(), g.ShapeOf(g.x(1)), g.x(2)}, DepthwiseAttrs(g)),
          g.Call("DepthwiseConv2dNative", {g.dy(), g.x(1)}, DepthwiseAttrs(g))};
}

Values DepthwiseFilterGradientGradient(Gradient& g) {
  return {g.Call("DepthwiseConv2dNativeBackpropInput", {g.ShapeOf(g.x(0)), g.dy(), g.x(2)}, DepthwiseAttrs(g)),
          GradientValue::None(), g.Call("DepthwiseConv2dNative", {g.x(0), g.dy()}, DepthwiseAttrs(g))};
}

constexpr const char* kAttrs =
    "T: type in [floats]; strides: list(int); padding: string in ['SAME', 'VALID', 'EXPLICIT']; explicit_paddings: "
    "list(int) = []; data_format: string = 'NHWC' in ['NHWC', 'NCHW']; dilations: list(int) = [1, 1, 1, 1]";

}  // namespace

std::span<const OpRow> ConvolutionDepthwise() {
  static const OpRow rows[] = {
      {.signature = "DepthwiseConv2dNative(input: T, filter: T) -> (output: T)",
       .attrs = kAttrs,
       .doc = "Each channel convolved alone, with its own filters [height, width, in, multiplier]: output channel "
              "c·multiplier + q is channel c under filter q. Strides are equal along rows and columns, dilations "
              "are ones; clients spread windows with SpaceToBatch.",
       .gpu = "all",
       .shape_fn = DepthwiseShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .gradient = DepthwiseGradient,
       .gradient_trial = {.order = 2},
       .samples = {"strides=[1, 1, 1, 1]/[1, 2, 2, 1] padding='SAME'/'VALID': [n 6 5 C] finite [3 2 C M] finite",
                   "strides=[1, 2, 2, 1] padding='EXPLICIT' explicit_paddings=[0, 0, 1, 2, 0, 1, 0, 0]: "
                   "[n 5 6 C] finite [3 2 C M] finite",
                   "strides=[1, 1, 1, 1] padding='SAME': [n 4 3 C] finite [2 2 C 1] finite"}},
      {.signature = "DepthwiseConv2dNativeBackpropInput(input_sizes: int32, filter: T, out_backprop: T) -> (output: T)",
       .attrs = kAttrs,
       .doc = "The gradient of DepthwiseConv2dNative by its input, whose shape is input_sizes.",
       .gpu = "all",
       .shape_fn = DepthwiseInputGradientShapes,
       .accuracy = Summation(),
       .gradient = DepthwiseInputGradientGradient,
       .samples = {"strides=[1, 1, 1, 1] padding='SAME': {n, 6, 5, 3} [3 2 3 2] finite [n 6 5 6] finite",
                   "strides=[1, 2, 2, 1] padding='VALID': {n, 6, 5, C} [3 2 C 1] finite [n 2 2 C] finite",
                   "strides=[1, 2, 2, 1] padding='SAME': {n, 6, 5, 2} [3 3 2 3] finite [n 3 3 6] finite"}},
      {.signature =
           "DepthwiseConv2dNativeBackpropFilter(input: T, filter_sizes: int32, out_backprop: T) -> (output: T)",
       .attrs = kAttrs,
       .doc = "The gradient of DepthwiseConv2dNative by its filter, whose shape is filter_sizes.",
       .gpu = "all",
       .shape_fn = DepthwiseFilterGradientShapes,
       .accuracy = Summation(),
       .gradient = DepthwiseFilterGradientGradient,
       .samples = {"strides=[1, 1, 1, 1] padding='SAME': [n 6 5 3] finite {3, 2, 3, 2} [n 6 5 6] finite",
                   "strides=[1, 2, 2, 1] padding='VALID': [n 6 5 C] finite {3, 2, C, 1} [n 2 2 C] finite",
                   "strides=[1, 2, 2, 1] padding='SAME': [n 6 5 2] finite {3, 3, 2, 3} [n 3 3 6] finite"}},
  };
  return rows;
}

}  // namespace plumb::topics
