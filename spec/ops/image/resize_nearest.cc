#include "spec/ops/gradient_helpers.h"
#include "spec/ops/image/image_shapes.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes ResizeShapes(const ShapeContext& c) { return {SizedImage(c, WithRank(c, 0, 4), 1)}; }

Values ResizeNearestNeighborGradient(Gradient& g) {
  const PartialShape& image = g.shape(g.x(0));
  const bool known = image.rank() == 4 && image.dim(1) >= 0 && image.dim(2) >= 0;
  const Endpoint size = known ? g.Int32s({static_cast<int32_t>(image.dim(1)), static_cast<int32_t>(image.dim(2))})
                              : Part(g, g.ShapeOf(g.x(0)), 1, 3);
  return {g.Call("ResizeNearestNeighborGrad", {g.dy(), size}, SameAttrs(g, {"align_corners", "half_pixel_centers"})),
          GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ImageResizeNearest() {
  static const OpRow rows[] = {
      {.signature = "ResizeNearestNeighbor(images: T, size: int32) -> (resized_images: T)",
       .attrs = "T: type in [int8, uint8, int16, uint16, int32, int64, float16, float32, float64, bfloat16]; "
                "align_corners: bool = false; half_pixel_centers: bool = false",
       .doc = "Images of another height and width, each pixel that of the nearest place in the source.",
       .gpu = "T in [floats]",
       .shape_fn = ResizeShapes,
       .gradient = ResizeNearestNeighborGradient,
       .samples = {"align_corners=false/true half_pixel_centers=false: [b H W C] {5, 3}",
                   "align_corners=false half_pixel_centers=true: [b H W C] {3, 7}",
                   "align_corners=false/true half_pixel_centers=false: [b 3 2 C] {H, W}"}},
      {.signature = "ResizeNearestNeighborGrad(grads: T, size: int32) -> (output: T)",
       .attrs = "T: type in [uint8, int8, int32, float16, float32, float64, bfloat16]; align_corners: bool = false; "
                "half_pixel_centers: bool = false",
       .doc = "The gradient of ResizeNearestNeighbor for images of the height and width `size`.",
       .gpu = "T in [floats]",
       .shape_fn = ResizeShapes,
       .accuracy = Summation(),
       .samples = {"align_corners=false/true half_pixel_centers=false: [b H W C] {5, 3}",
                   "align_corners=false half_pixel_centers=true: [b H W C] {3, 7}",
                   "align_corners=false/true half_pixel_centers=false: [b 3 2 C] {H, W}"}},
  };
  return rows;
}

}  // namespace plumb::topics
