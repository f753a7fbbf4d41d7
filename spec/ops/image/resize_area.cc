#include "spec/ops/image/image_shapes.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes ResizeShapes(const ShapeContext& c) { return {SizedImage(c, WithRank(c, 0, 4), 1)}; }

}  // namespace

std::span<const OpRow> ImageResizeArea() {
  static const OpRow rows[] = {
      {.signature = "ResizeArea(images: T, size: int32) -> (resized_images: float32)",
       .attrs = "T: type in [int8, uint8, int16, uint16, int32, int64, float16, float32, float64, bfloat16]; "
                "align_corners: bool = false",
       .doc = "Images of another height and width, each pixel the mean of the area that it covers in the source.",
       .shape_fn = ResizeShapes,
       .cost = 8,
       .accuracy = Composed(1),
       .samples = {"align_corners=false/true: [b H W C] {5, 3}", "align_corners=false/true: [b 3 2 C] {H, W}",
                   "align_corners=false/true: [b H W C] {H, W}"}},
  };
  return rows;
}

}  // namespace plumb::topics
