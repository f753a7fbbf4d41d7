#include "spec/ops/gradient_helpers.h"
#include "spec/ops/image/image_shapes.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes ResizeShapes(const ShapeContext& c) { return {SizedImage(c, WithRank(c, 0, 4), 1)}; }

Shapes OriginalShapes(const ShapeContext& c) { return {OriginalImages(c)}; }

Values ResizeBicubicGradient(Gradient& g) {
  const DType type = g.dtype(g.x(0));
  if (type != DType::kFloat && type != DType::kDouble) return {GradientValue::None(), GradientValue::None()};
  return {g.Call("ResizeBicubicGrad", {g.dy(), g.x(0)}, SameAttrs(g, {"align_corners", "half_pixel_centers"})),
          GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ImageResizeBicubic() {
  static const OpRow rows[] = {
      {.signature = "ResizeBicubic(images: T, size: int32) -> (resized_images: float32)",
       .attrs = "T: type in [int8, uint8, int16, uint16, int32, int64, float16, float32, float64, bfloat16]; "
                "align_corners: bool = false; half_pixel_centers: bool = false",
       .doc = "Images of another height and width, each pixel a cubic interpolation of the sixteen around its place in "
              "the source.",
       .shape_fn = ResizeShapes,
       .cost = 8,
       .accuracy = Composed(1),
       .gradient = ResizeBicubicGradient,
       .samples = {"align_corners=false/true half_pixel_centers=false: [b H W C] {5, 3}",
                   "align_corners=false half_pixel_centers=true: [b H W C] {3, 7}",
                   "align_corners=false/true half_pixel_centers=false: [b 3 2 C] {H, W}",
                   "align_corners=false/true half_pixel_centers=false: [b H W C] {H, W}"}},
      {.signature = "ResizeBicubicGrad(grads: float32, original_image: T) -> (output: T)",
       .attrs = "T: type in [float32, float64]; align_corners: bool = false; half_pixel_centers: bool = false",
       .doc = "The gradient of ResizeBicubic for images of the height and width of original_image.",
       .shape_fn = OriginalShapes,
       .cost = 8,
       .accuracy = Summation(),
       .samples = {"align_corners=false/true half_pixel_centers=false: [b H W C] [b 5 3 C]",
                   "align_corners=false half_pixel_centers=true: [b H W C] [b 3 7 C]",
                   "align_corners=false/true half_pixel_centers=false: [b 3 2 C] [b H W C]"}},
  };
  return rows;
}

}  // namespace plumb::topics
