#include <algorithm>

#include "spec/ops/convolution/windows.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes DilationShapes(const ShapeContext& c) {
  const PartialShape input = WithRank(c, 0, 4), filter = WithRank(c, 1, 3);
  const auto& strides = FourValues(c, "strides");
  const auto& rates = FourValues(c, "rates");
  // The channels are compared once rows and columns are known, of the images and of the filter.
  const bool is_placed = std::min({input.dim(1), input.dim(2), filter.dim(0), filter.dim(1)}) >= 0;
  const bool tells_channels = filter.dim(2) >= 0 && !is_placed;
  PartialShape output = WithDim(input, 3, tells_channels ? filter.dim(2) : MergeDims(c, input.dim(3), filter.dim(2)));
  for (int axis = 1; axis < 3; ++axis) {
    const int64_t size = filter.dim(axis - 1);
    const int64_t extent = size < 0 ? -1 : AddSizes(MultiplySizes(c, size, rates[axis]), 1 - rates[axis]);
    output = WithDim(output, axis,
                     CountWindows(c, input.dim(axis), {extent, strides[axis]}, c.attr<std::string>("padding")));
  }
  return {output};
}

Shapes LikeFilter(const ShapeContext& c) { return {c.input(1)}; }

Values DilationGradient(Gradient& g) {
  const AttrMap attrs = SameAttrs(g, {"strides", "rates", "padding"});
  return {g.Call("Dilation2DBackpropInput", {g.x(0), g.x(1), g.dy()}, attrs),
          g.Call("Dilation2DBackpropFilter", {g.x(0), g.x(1), g.dy()}, attrs)};
}

}  // namespace

std::span<const OpRow> ConvolutionDilation() {
  static const OpRow rows[] = {
      {.signature = "Dilation2D(input: T, filter: T) -> (output: T<either_zero>)",
       .attrs = "T: type in [floats, ints]; strides: list(int) >= 4; rates: list(int) >= 4; padding: string in "
                "['SAME', 'VALID']",
       .doc =
           "Greyscale dilation: the largest sum of input and filter [height, width, in] over each window, channel by "
           "channel; rates spread the window, padding never wins.",
       .gpu = "T in [float16, float32, float64]",
       .shape_fn = DilationShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = DilationGradient,
       .samples = {"strides=[1, 1, 1, 1]/[1, 2, 3, 1] rates=[1, 1, 1, 1]/[1, 2, 1, 1] padding='SAME'/'VALID': "
                   "[n 5 6 C] finite [2 3 C] finite"}},
      {.signature = "Dilation2DBackpropInput(input: T, filter: T, out_backprop: T) -> (in_backprop: T)",
       .attrs = "T: type in [floats, ints]; strides: list(int) >= 4; rates: list(int) >= 4; padding: string in "
                "['SAME', 'VALID']",
       .doc = "The gradient of Dilation2D by its input: each window's gradient goes to the first of the elements whose "
              "sum was the largest, and to the window's first element where none was.",
       .gpu = "T in [float16, float32, float64]",
       .shape_fn = LikeFirst,
       .accuracy = Summation(),
       .samples = {"strides=[1, 1, 1, 1] rates=[1, 1, 1, 1]/[1, 2, 1, 1] padding='SAME': "
                   "[n 4 5 C] finite [2 3 C] finite [n 4 5 C] finite",
                   "strides=[1, 2, 2, 1] rates=[1, 1, 2, 1] padding='VALID': "
                   "[n 4 5 C] in 0..3 [2 2 C] in 0..2 [n 2 2 C] finite"}},
      {.signature = "Dilation2DBackpropFilter(input: T, filter: T, out_backprop: T) -> (filter_backprop: T)",
       .attrs = "T: type in [floats, ints]; strides: list(int) >= 4; rates: list(int) >= 4; padding: string in "
                "['SAME', 'VALID']",
       .doc = "The gradient of Dilation2D by its filter: each window's gradient goes to the first of the places whose "
              "sum was the largest, and to the filter's first place where none was.",
       .gpu = "T in [float16, float32, float64]",
       .shape_fn = LikeFilter,
       .accuracy = Summation(),
       .samples = {"strides=[1, 1, 1, 1] rates=[1, 1, 1, 1]/[1, 2, 1, 1] padding='SAME': "
                   "[n 4 5 C] finite [2 3 C] finite [n 4 5 C] finite",
                   "strides=[1, 2, 2, 1] rates=[1, 1, 2, 1] padding='VALID': "
                   "[n 4 5 C] in 0..3 [2 2 C] in 0..2 [n 2 2 C] finite"}},
  };
  return rows;
}

}  // namespace plumb::topics
