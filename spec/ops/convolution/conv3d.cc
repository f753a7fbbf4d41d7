#include "spec/ops/convolution/volumes.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes Conv3DShapes(const ShapeContext& c) {
  const PartialShape input = WithRank(c, 0, 5), filter = WithRank(c, 1, 5);
  const bool channels_first = c.attr<std::string>("data_format") == "NCDHW";
  const int64_t depth = input.dim(channels_first ? 1 : 4), filter_depth = filter.dim(3);
  Require(filter_depth != 0, "Conv3D: the filter's input depth must not be 0");
  Require(depth < 0 || filter_depth < 0 || depth % filter_depth == 0, "Conv3D: the depth ", depth,
          " of the input is no multiple of the filter's depth ", filter_depth);
  return {Slid(c, {filter.dim(0), filter.dim(1), filter.dim(2)}, filter.dim(4))};
}

Shapes Conv3DInputGradientShapes(const ShapeContext& c) { return {VolumeShape(c, 0)}; }
Shapes Conv3DFilterGradientShapes(const ShapeContext& c) { return {VolumeShape(c, 1)}; }

Shapes ShapeOfInput(const ShapeContext& c) { return {WithRank(c, 0, 5)}; }
Shapes ShapeOfFilter(const ShapeContext& c) { return {WithRank(c, 1, 5)}; }

AttrMap Conv3DAttrs(Gradient& g) { return SameAttrs(g, {"strides", "padding", "data_format", "dilations"}); }

Values Conv3DGradient(Gradient& g) {
  return {g.Call("Conv3DBackpropInputV2", {g.ShapeOf(g.x(0)), g.x(1), g.dy()}, Conv3DAttrs(g)),
          g.Call("Conv3DBackpropFilterV2", {g.x(0), g.ShapeOf(g.x(1)), g.dy()}, Conv3DAttrs(g))};
}

Values Conv3DInputGradientGradient(Gradient& g) {
  return {GradientValue::None(), g.Call("Conv3DBackpropFilterV2", {g.dy(), g.ShapeOf(g.x(1)), g.x(2)}, Conv3DAttrs(g)),
          g.Call("Conv3D", {g.dy(), g.x(1)}, Conv3DAttrs(g))};
}

Values Conv3DFilterGradientGradient(Gradient& g) {
  return {g.Call("Conv3DBackpropInputV2", {g.ShapeOf(g.x(0)), g.dy(), g.x(2)}, Conv3DAttrs(g)), GradientValue::None(),
          g.Call("Conv3D", {g.x(0), g.dy()}, Conv3DAttrs(g))};
}

}  // namespace

std::span<const OpRow> ConvolutionConv3d() {
  static const OpRow rows[] = {
      {.signature = "Conv3D(input: T, filter: T) -> (output: T)",
       .attrs = "T: type in [floats]; strides: list(int) >= 5; padding: string in ['SAME', 'VALID']; data_format: "
                "string = 'NDHWC' in ['NDHWC', 'NCDHW']; dilations: list(int) = [1, 1, 1, 1, 1]",
       .doc = "The sum, over each window of a volume, of input times filter [depth, height, width, in, out]. "
              "dilations spread the window.",
       .gpu = "all",
       .shape_fn = Conv3DShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .gradient = Conv3DGradient,
       .gradient_trial = {.order = 2},
       .samples = {"strides=[1, 1, 1, 1, 1]/[1, 2, 1, 3, 1] padding='SAME'/'VALID': "
                   "[n 3 4 5 C] finite [2 3 2 C O] finite",
                   "strides=[1, 1, 1, 1, 1] padding='VALID'/'SAME' dilations=[1, 1, 2, 2, 1]: "
                   "[n 2 4 5 C] finite [2 2 3 C O] finite",
                   "strides=[1, 1, 1, 1, 1] padding='VALID': [n 2 3 2 C] finite [1 1 1 C O] finite"}},
      {.signature = "Conv3DBackpropInputV2(input_sizes: Tshape, filter: T, out_backprop: T) -> (output: T)",
       .attrs = "T: type in [floats]; strides: list(int) >= 5; padding: string in ['SAME', 'VALID']; data_format: "
                "string = 'NDHWC' in ['NDHWC', 'NCDHW']; dilations: list(int) = [1, 1, 1, 1, 1]; Tshape: type = int32 "
                "in [int32, int64]",
       .doc = "The gradient of Conv3D by its input, whose shape is input_sizes.",
       .gpu = "all",
       .shape_fn = Conv3DInputGradientShapes,
       .accuracy = Summation(),
       .gradient = Conv3DInputGradientGradient,
       .samples = {"strides=[1, 1, 1, 1, 1] padding='SAME': {n, 2, 3, 4, C} [2 3 2 C O] finite [n 2 3 4 O] finite",
                   "strides=[1, 2, 1, 2, 1] padding='VALID': {n, 4, 3, 5, C} [2 3 2 C O] finite [n 2 1 2 O] finite",
                   "strides=[1, 1, 1, 1, 1] padding='VALID' dilations=[1, 1, 2, 1, 1]: "
                   "{n, 2, 4, 3, C} [2 2 2 C O] finite [n 1 2 2 O] finite"}},
      {.signature = "Conv3DBackpropFilterV2(input: T, filter_sizes: int32, out_backprop: T) -> (output: T)",
       .attrs = "T: type in [floats]; strides: list(int) >= 5; padding: string in ['SAME', 'VALID']; data_format: "
                "string = 'NDHWC' in ['NDHWC', 'NCDHW']; dilations: list(int) = [1, 1, 1, 1, 1]",
       .doc = "The gradient of Conv3D by its filter, whose shape is filter_sizes.",
       .gpu = "all",
       .shape_fn = Conv3DFilterGradientShapes,
       .accuracy = Summation(),
       .gradient = Conv3DFilterGradientGradient,
       .samples = {"strides=[1, 1, 1, 1, 1] padding='SAME': [n 2 3 4 C] finite {2, 3, 2, C, O} [n 2 3 4 O] finite",
                   "strides=[1, 2, 1, 2, 1] padding='VALID': [n 4 3 5 C] finite {2, 3, 2, C, O} [n 2 1 2 O] finite",
                   "strides=[1, 1, 1, 1, 1] padding='VALID' dilations=[1, 1, 2, 1, 1]: "
                   "[n 2 4 3 C] finite {2, 2, 2, C, O} [n 1 2 2 O] finite"}},
      {.signature = "Conv3DBackpropInput(input: T, filter: T, out_backprop: T) -> (output: T)",
       .attrs =
           "T: type in [float16, float32, float64]; strides: list(int) >= 5; padding: string in ['SAME', 'VALID']; "
           "dilations: list(int) = [1, 1, 1, 1, 1]",
       .doc = "Conv3DBackpropInputV2 for the shape of input, whose values do not matter.",
       .gpu = "all",
       .shape_fn = ShapeOfInput,
       .accuracy = Summation(),
       .samples = {"strides=[1, 1, 1, 1, 1] padding='SAME': [n 2 3 4 C] [2 3 2 C O] finite [n 2 3 4 O] finite",
                   "strides=[1, 2, 1, 2, 1] padding='VALID': [n 4 3 5 C] [2 3 2 C O] finite [n 2 1 2 O] finite",
                   "strides=[1, 1, 1, 1, 1] padding='VALID' dilations=[1, 1, 2, 1, 1]: "
                   "[n 2 4 3 C] [2 2 2 C O] finite [n 1 2 2 O] finite"},
       .deprecated = {10, "Use Conv3DBackpropInputV2"}},
      {.signature = "Conv3DBackpropFilter(input: T, filter: T, out_backprop: T) -> (output: T)",
       .attrs =
           "T: type in [float16, float32, float64]; strides: list(int) >= 5; padding: string in ['SAME', 'VALID']; "
           "dilations: list(int) = [1, 1, 1, 1, 1]",
       .doc = "Conv3DBackpropFilterV2 for the shape of filter, whose values do not matter.",
       .gpu = "all",
       .shape_fn = ShapeOfFilter,
       .accuracy = Summation(),
       .samples = {"strides=[1, 1, 1, 1, 1] padding='SAME': [n 2 3 4 C] finite [2 3 2 C O] [n 2 3 4 O] finite",
                   "strides=[1, 2, 1, 2, 1] padding='VALID': [n 4 3 5 C] finite [2 3 2 C O] [n 2 1 2 O] finite",
                   "strides=[1, 1, 1, 1, 1] padding='VALID' dilations=[1, 1, 2, 1, 1]: "
                   "[n 2 4 3 C] finite [2 2 2 C O] [n 1 2 2 O] finite"},
       .deprecated = {10, "Use Conv3DBackpropFilterV2"}},
  };
  return rows;
}

}  // namespace plumb::topics
