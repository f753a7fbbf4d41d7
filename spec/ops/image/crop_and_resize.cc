#include "spec/ops/gradient_helpers.h"
#include "spec/ops/image/image_shapes.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

// Boxes of four corners each, and the image that each belongs to.
int64_t CountBoxes(const ShapeContext& c, int boxes, int image_of_box) {
  const PartialShape corners = WithRank(c, boxes, 2), images = WithRank(c, image_of_box, 1);
  MergeDims(c, corners.dim(1), 4);
  return MergeDims(c, corners.dim(0), images.dim(0));
}

Shapes CropShapes(const ShapeContext& c) {
  PartialShape images = WithRank(c, 0, 4);
  return {SizedImage(c, WithDim(images, 0, CountBoxes(c, 1, 2)), 3)};
}

Shapes ImageGradientShapes(const ShapeContext& c) {
  const PartialShape sizes = WithRank(c, 3, 1);
  MergeDims(c, sizes.dim(0), 4);
  const PartialShape shape = ConstantShape(c, 3);
  return {shape.has_rank() ? shape : PartialShape::OfRank(4)};
}

Shapes BoxGradientShapes(const ShapeContext& c) { return {c.input(2)}; }

Values CropAndResizeGradient(Gradient& g) {
  const DType type = g.dtype(g.x(0));
  const GradientValue none = GradientValue::None();
  const Endpoint boxes = g.Call("CropAndResizeGradBoxes", {g.dy(), g.x(0), g.x(1), g.x(2)});
  if (type != DType::kHalf && type != DType::kFloat && type != DType::kDouble) return {none, boxes, none, none};
  AttrMap attrs = SameAttrs(g, {"method"});
  attrs["T"] = type;
  return {g.Call("CropAndResizeGradImage", {g.dy(), g.x(1), g.x(2), g.ShapeOf(g.x(0))}, std::move(attrs)), boxes, none,
          none};
}

}  // namespace

std::span<const OpRow> ImageCropAndResize() {
  static const OpRow rows[] = {
      {.signature = "CropAndResize(image: T, boxes: float32, box_ind: int32, crop_size: int32) -> (crops: float32)",
       .attrs = "T: type in [uint8, uint16, int8, int16, int32, int64, float16, float32, float64]; method: string = "
                "'bilinear' in ['bilinear', 'nearest']; extrapolation_value: float = 0",
       .doc = "Boxes cut out of images, each resized to crop_size; what lies outside of the image is "
              "extrapolation_value.",
       .gpu = "T in [float16, float32, float64]",
       .shape_fn = CropShapes,
       .strictness = Strictness::kStricterThanKernel,
       .cost = 8,
       .accuracy = Composed(1),
       .gradient = CropAndResizeGradient,
       .samples = {"method='bilinear' extrapolation_value=0/1.5: [B H W c] [n 4] in 0..1 [n] in 0..B {3, 4}",
                   "method='bilinear': [B 5 6 c] [n 4] in -1..2 [n] in 0..B {H, W}",
                   "T in [uint8, int16, int64] method='nearest': [B H W c] [n 4] in -1..2 [n] in 0..B {3, 4}"}},
      {.signature = "CropAndResizeGradImage(grads: float32, boxes: float32, box_ind: int32, image_size: int32) -> "
                    "(output: T)",
       .attrs = "T: type in [float32, float16, float64]; method: string = 'bilinear' in ['bilinear', 'nearest']",
       .doc = "The gradient of CropAndResize for images of the shape image_size.",
       .gpu = "T in [float16, float32, float64]",
       .shape_fn = ImageGradientShapes,
       .cost = 8,
       .accuracy = Summation(),
       .samples = {"method='bilinear'/'nearest': [n 3 4 c] [n 4] in 0..1 [n] in 0..B {B, H, W, c}",
                   "method='bilinear'/'nearest': [n H W c] [n 4] in -1..2 [n] in 0..B {B, 5, 6, c}"}},
      {.signature = "CropAndResizeGradBoxes(grads: float32, image: T, boxes: float32, box_ind: int32) -> (output: "
                    "float32)",
       .attrs = "T: type in [uint8, uint16, int8, int16, int32, int64, float16, float32, float64]; method: string = "
                "'bilinear' in ['bilinear']",
       .doc = "The gradient of CropAndResize for the corners of the boxes.",
       .gpu = "T in [float16, float32, float64]",
       .shape_fn = BoxGradientShapes,
       .strictness = Strictness::kStricterThanKernel,
       .cost = 16,
       .accuracy = Summation(),
       .samples = {"[n 3 4 c] [B H W c] [n 4] in 0..1 [n] in 0..B", "[n H W c] [B 5 6 c] [n 4] in -1..2 [n] in 0..B"}},
  };
  return rows;
}

}  // namespace plumb::topics
