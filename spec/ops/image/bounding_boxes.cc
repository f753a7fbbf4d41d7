#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// Boxes of four corners each, on grey or coloured images.
Shapes DrawnShapes(const ShapeContext& c) {
  const PartialShape images = WithRank(c, 0, 4);
  const int64_t channels = images.dim(3);
  Require(channels < 0 || channels == 1 || channels == 3 || channels == 4, c.op().name, ": images have 1, 3 or 4 ",
          "channels, not ", channels);
  MergeDims(c, WithRank(c, 1, 3).dim(2), 4);
  return {images};
}

}  // namespace

std::span<const OpRow> ImageBoundingBoxes() {
  static const OpRow rows[] = {
      {.signature = "DrawBoundingBoxes(images: T, boxes: float32) -> (output: T)",
       .attrs = "T: type = float32 in [float32, float16]",
       .doc = "The images with the outlines of boxes, whose corners count from 0 to 1, in colours that take turns.",
       .shape_fn = DrawnShapes,
       .gradient = BlocksGradient(),
       .samples = {"[b h w 1] [b n 4] in 0..1", "[b h w 3] [b n 4] in -1..2", "[b h w 4] [b n 4]"}},
      {.signature = "DrawBoundingBoxesV2(images: T, boxes: float32, colors: float32) -> (output: T)",
       .attrs = "T: type = float32 in [float32, float16]",
       .doc = "DrawBoundingBoxes in colours that are rows of a matrix; without a row, in the usual ones.",
       .shape = "[d... h w c] ? ? -> [d... h w c]",
       .samples = {"[b h w 3] [b n 4] in 0..1 [k 3]", "[b h w 1] [b n 4] in -1..2 [2 4]"}},
  };
  return rows;
}

}  // namespace plumb::topics
