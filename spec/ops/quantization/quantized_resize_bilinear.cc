#include "spec/ops/op_def.h"
#include "spec/ops/quantization/ranges.h"

namespace plumb::topics {
namespace {

Shapes ResizeShapes(const ShapeContext &c) {
  RequireScalars(c, 2, 3);
  const PartialShape images = WithRank(c, 0, 4);
  WithRank(c, 1, 1);
  const PartialShape size = ConstantShape(c, 1);
  Require(!size.has_rank() || size.rank() == 2, "QuantizedResizeBilinear: the size must be height and width, not ",
          size.ToString());
  return WithScalarRange(
      {images.dim(0), size.has_rank() ? size.dim(0) : -1, size.has_rank() ? size.dim(1) : -1, images.dim(3)});
}

}  // namespace

std::span<const OpRow> QuantizationQuantizedResizeBilinear() {
  static const OpRow rows[] = {
      {.signature = "QuantizedResizeBilinear(images: T, size: int32, min: float32, max: float32) -> (resized_images: "
                    "T, out_min: float32, out_max: float32)",
       .attrs = "T: type in [quint8, qint32, float32]; align_corners: bool = false; half_pixel_centers: bool = false",
       .doc = "Images of another height and width: between four codes in fixed-point arithmetic, with 7 bits behind "
              "the point for quint8 and 30 for qint32.",
       .shape_fn = ResizeShapes,
       .accuracy = Composed(1),
       .samples = {"align_corners=false half_pixel_centers=false/true: [A 4 5 C] {7, "
                   "9} -1 2",
                   "align_corners=true half_pixel_centers=false: [A 6 3 C] {4, 8} 0 6",
                   "align_corners=false half_pixel_centers=false: [A 3 3 C] {3, 3} -1 "
                   "1"}},
  };
  return rows;
}

}  // namespace plumb::topics
