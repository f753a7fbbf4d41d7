#include "spec/ops/convolution/windows.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes Conv2DShapes(const ShapeContext& c) {
  const PartialShape input = WithRank(c, 0, 4);
  const PartialShape filter = WithRank(c, 1, 4);
  const auto& strides = FourValues(c, "strides");
  const auto& dilations = FourValues(c, "dilations");
  const auto& padding = c.attr<std::string>("padding");
  const std::vector<int64_t> paddings = ExplicitPaddings(c, padding);
  const Format format = FormatOf(c);
  const int channel = format.Channel(4);
  const int64_t depth = input.dim(channel);
  const int64_t filter_depth = filter.dim(2);
  if (depth >= 0 && filter_depth >= 0) {
    Require(filter_depth > 0 && depth % filter_depth == 0, "Conv2D: the depth ", depth,
            " of the input is no multiple of the filter's depth ", filter_depth);
    const int64_t groups = depth / filter_depth;
    Require(groups == 0 || filter.dim(3) < 0 || filter.dim(3) % groups == 0, "Conv2D: the output depth ", filter.dim(3),
            " is no multiple of the number of groups ", groups);
  }
  PartialShape output = WithDim(WithDim(PartialShape::OfRank(4), 0, input.dim(0)), channel, filter.dim(3));
  for (int i = 0; i < 2; ++i) {
    const int axis = format.Spatial(i);
    const Window window{filter.dim(i), strides[axis], dilations[axis], PadsOf(paddings, axis)};
    output = WithDim(output, axis, CountWindows(c, input.dim(axis), window, padding));
  }
  return {output};
}

// The sizes are those of the whole input, or only its height and width.
Shapes Conv2DBackpropInputShapes(const ShapeContext& c) {
  const PartialShape sizes = ConstantShape(c, 0), filter = WithRank(c, 1, 4), gradient = WithRank(c, 2, 4);
  const Format format = FormatOf(c);
  MergeDims(c, filter.dim(3), gradient.dim(format.Channel(4)));
  if (!sizes.has_rank() || sizes.rank() != 2) {
    const PartialShape image = ImageShape(c, 0);
    const int64_t images = MergeDims(c, image.dim(0), gradient.dim(0));
    // A negative number of images in known sizes stays open: kernels refuse it.
    return {c.constant(0) == nullptr ? WithDim(image, 0, images) : image};
  }
  PartialShape output = WithDim(PartialShape::OfRank(4), 0, gradient.dim(0));
  output = WithDim(output, format.Channel(4), filter.dim(2));
  for (int i = 0; i < 2; ++i) output = WithDim(output, format.Spatial(i), sizes.dim(i));
  return {output};
}

Shapes Conv2DBackpropFilterShapes(const ShapeContext& c) { return {ImageShape(c, 1)}; }

AttrMap ConvAttrs(Gradient& g) {
  return SameAttrs(g, {"strides", "padding", "explicit_paddings", "data_format", "dilations", "use_cudnn_on_gpu"});
}

Values Conv2DGradient(Gradient& g) {
  return {g.Call("Conv2DBackpropInput", {g.ShapeOf(g.x(0)), g.x(1), g.dy()}, ConvAttrs(g)),
          g.Call("Conv2DBackpropFilter", {g.x(0), g.ShapeOf(g.x(1)), g.dy()}, ConvAttrs(g))};
}

Values Conv2DBackpropInputGradient(Gradient& g) {
  return {GradientValue::None(), g.Call("Conv2DBackpropFilter", {g.dy(), g.ShapeOf(g.x(1)), g.x(2)}, ConvAttrs(g)),
          g.Call("Conv2D", {g.dy(), g.x(1)}, ConvAttrs(g))};
}

Values Conv2DBackpropFilterGradient(Gradient& g) {
  return {g.Call("Conv2DBackpropInput", {g.ShapeOf(g.x(0)), g.dy(), g.x(2)}, ConvAttrs(g)), GradientValue::None(),
          g.Call("Conv2D", {g.x(0), g.dy()}, ConvAttrs(g))};
}

}  // namespace

std::span<const OpRow> ConvolutionConv2d() {
  static const OpRow rows[] = {
      {.signature = "Conv2D(input: T, filter: T) -> (output: T)",
       .attrs = "T: type in [floats, int32]; strides: list(int); use_cudnn_on_gpu: bool = true; padding: string "
                "in ['SAME', 'VALID', 'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = "
                "'NHWC' in ['NHWC', 'NCHW']; dilations: list(int) = [1, 1, 1, 1]",
       .doc = "The sum, over each window of the input, of input times filter [height, width, in, out]. "
              "Padding is VALID, SAME or EXPLICIT; dilations spread the window; an input that is k times as "
              "deep as the filter is convolved in k groups.",
       .gpu = "T in [floats]",
       .shape_fn = Conv2DShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .gradient = Conv2DGradient,
       .gradient_trial = {.order = 2},
       .samples = {"strides=[1, 1, 1, 1]/[1, 2, 2, 1]/[1, 2, 3, 1] padding='SAME'/'VALID': "
                   "[n 6 5 C] finite [3 2 C O] finite",
                   "strides=[1, 1, 1, 1] padding='VALID'/'SAME' dilations=[1, 2, 2, 1]: "
                   "[n 7 6 C] finite [3 2 C O] finite",
                   "strides=[1, 1, 2, 1] padding='EXPLICIT' explicit_paddings=[0, 0, 1, 2, 0, 1, 0, 0]: "
                   "[n 5 6 C] finite [3 2 C O] finite",
                   "strides=[1, 1, 1, 1] padding='SAME': [n 4 3 C] finite [1 1 C O] finite"}},
      {.signature = "Conv2DBackpropInput(input_sizes: int32, filter: T, out_backprop: T) -> (output: T)",
       .attrs = "T: type in [floats, int32]; strides: list(int); use_cudnn_on_gpu: bool = true; padding: string "
                "in ['SAME', 'VALID', 'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = "
                "'NHWC' in ['NHWC', 'NCHW']; dilations: list(int) = [1, 1, 1, 1]",
       .doc = "The gradient of Conv2D by its input, whose shape is input_sizes (or whose height and width).",
       .gpu = "T in [floats]",
       .shape_fn = Conv2DBackpropInputShapes,
       .accuracy = Summation(),
       .gradient = Conv2DBackpropInputGradient,
       .samples = {"strides=[1, 1, 1, 1] padding='SAME': {n, 6, 5, C} [3 2 C O] finite [n 6 5 O] finite",
                   "strides=[1, 2, 2, 1] padding='VALID': {n, 6, 5, C} [3 2 C O] finite [n 2 2 O] finite",
                   "strides=[1, 2, 2, 1] padding='SAME': {n, 6, 5, C} [3 3 C O] finite [n 3 3 O] finite",
                   "strides=[1, 1, 1, 1] padding='VALID' dilations=[1, 2, 2, 1]: "
                   "{n, 7, 6, C} [3 2 C O] finite [n 3 4 O] finite"}},
      {.signature = "Conv2DBackpropFilter(input: T, filter_sizes: int32, out_backprop: T) -> (output: T)",
       .attrs = "T: type in [floats]; strides: list(int); use_cudnn_on_gpu: bool = true; padding: string in "
                "['SAME', 'VALID', 'EXPLICIT']; explicit_paddings: list(int) = []; data_format: string = 'NHWC' "
                "in ['NHWC', 'NCHW']; dilations: list(int) = [1, 1, 1, 1]",
       .doc = "The gradient of Conv2D by its filter, whose shape is filter_sizes.",
       .gpu = "all",
       .shape_fn = Conv2DBackpropFilterShapes,
       .accuracy = Summation(),
       .gradient = Conv2DBackpropFilterGradient,
       .samples = {"strides=[1, 1, 1, 1] padding='SAME': [n 6 5 C] finite {3, 2, C, O} [n 6 5 O] finite",
                   "strides=[1, 2, 2, 1] padding='VALID': [n 6 5 C] finite {3, 2, C, O} [n 2 2 O] finite",
                   "strides=[1, 2, 2, 1] padding='SAME': [n 6 5 C] finite {3, 3, C, O} [n 3 3 O] finite",
                   "strides=[1, 1, 1, 1] padding='VALID' dilations=[1, 2, 2, 1]: "
                   "[n 7 6 C] finite {3, 2, C, O} [n 3 4 O] finite"}},
  };
  return rows;
}

}  // namespace plumb::topics
