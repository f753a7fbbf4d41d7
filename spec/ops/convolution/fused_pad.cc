#include "spec/ops/convolution/windows.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// `size` is what height and width are brought to before they are padded; input `paddings` and the one behind it.
Shapes FusedShapes(const ShapeContext& c, PartialShape image, int paddings) {
  MergeDims(c, WithRank(c, paddings, 2).dim(0), 4);
  MergeDims(c, c.input(paddings).dim(1), 2);
  if (const auto amounts = ConstantInts(c, paddings)) {
    for (int axis = 0; axis < 4; ++axis) {
      const int64_t before = (*amounts)[2 * axis], after = (*amounts)[2 * axis + 1];
      Require(before >= 0 && after >= 0, c.op().name, ": paddings must not be negative: ", before, ", ", after);
      image = WithDim(image, axis, AddSizes(image.dim(axis), AddSizes(before, after)));
    }
  } else {
    image = PartialShape::OfRank(4);
  }
  const PartialShape filter = WithRank(c, paddings + 1, 4);
  const auto& strides = FourValues(c, "strides");
  MergeDims(c, image.dim(3), filter.dim(2));
  PartialShape output = WithDim(image, 3, filter.dim(3));
  for (int i = 0; i < 2; ++i) {
    const Window window{filter.dim(i), strides[i + 1]};
    output = WithDim(output, i + 1, CountWindows(c, image.dim(i + 1), window, c.attr<std::string>("padding")));
  }
  return {output};
}

Shapes PaddedShapes(const ShapeContext& c) { return FusedShapes(c, WithRank(c, 0, 4), 1); }

Shapes ResizedShapes(const ShapeContext& c) {
  PartialShape image = WithRank(c, 0, 4);
  MergeDims(c, WithRank(c, 1, 1).dim(0), 2);
  const auto size = ConstantInts(c, 1);
  for (int i = 0; i < 2; ++i) image = WithDim(image, i + 1, size ? (*size)[i] : -1);
  return FusedShapes(c, image, 2);
}

}  // namespace

std::span<const OpRow> ConvolutionFusedPad() {
  static const OpRow rows[] = {
      {.signature = "FusedPadConv2D(input: T, paddings: int32, filter: T) -> (output: T)",
       .attrs = "T: type in [float16, float32, float64]; mode: string in ['REFLECT', 'SYMMETRIC']; strides: list(int); "
                "padding: string in ['SAME', 'VALID']",
       .doc =
           "Conv2D of MirrorPad of images [batch, height, width, channels], of which height and width are padded. "
           "Windows stand in the middle of what they are slid over: where they leave n pixels over, VALID ones begin "
           "behind (n - 1)/2 of them, SAME ones behind n/2, rounded down. "
           "(TensorFlow's kernel gives every image of a batch the first one's result; here each has its own.)",
       .shape_fn = PaddedShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .samples = {"mode='REFLECT'/'SYMMETRIC' strides=[1, 1, 1, 1]/[1, 2, 3, 1] padding='SAME'/'VALID': [n 6 5 C] "
                   "finite {{0, 0}, {1, 3}, {0, 2}, {0, 0}} [3 2 C O] finite",
                   "mode='REFLECT'/'SYMMETRIC' strides=[1, 4, 3, 1] padding='SAME'/'VALID': [2 8 7 2] finite {{0, 0}, "
                   "{0, 0}, {2, 1}, {0, 0}} [1 2 2 3] finite"}},
      {.signature = "FusedResizeAndPadConv2D(input: T, size: int32, paddings: int32, filter: T) -> (output: T)",
       .attrs = "T: type in [float16, float32, float64]; resize_align_corners: bool = false; mode: string in "
                "['REFLECT', 'SYMMETRIC']; strides: list(int); padding: string in ['SAME', 'VALID']",
       .doc = "FusedPadConv2D of images that ResizeBilinear has brought to a height and width, in the images' type.",
       .shape_fn = ResizedShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .samples =
           {"mode='REFLECT'/'SYMMETRIC' strides=[1, 1, 1, 1]/[1, 2, 3, 1] padding='SAME'/'VALID' "
            "resize_align_corners=false/true: [n 4 3 C] finite {6, 5} {{0, 0}, {1, 3}, {0, 2}, {0, 0}} [3 2 C O] "
            "finite",
            "mode='REFLECT' strides=[1, 1, 1, 1] padding='VALID' resize_align_corners=false/true: [2 9 8 2] "
            "finite {4, 5} {{0, 0}, {0, 1}, {1, 0}, {0, 0}} [2 2 2 3] finite"}},
  };
  return rows;
}

}  // namespace plumb::topics
