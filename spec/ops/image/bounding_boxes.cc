#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> ImageBoundingBoxes() {
  static const OpRow rows[] = {
      {.signature = "DrawBoundingBoxes(images: T, boxes: float32) -> (output: T)",
       .attrs = "T: type = float32 in [float32, float16]",
       .doc = "The images with the outlines of boxes, whose corners count from 0 to 1, in colours that take turns.",
       .shape = "[d... h w c] ? -> [d... h w c]",
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
