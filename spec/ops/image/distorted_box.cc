#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> ImageDistortedBox() {
  static const OpRow rows[] = {
      {.signature = "SampleDistortedBoundingBox(image_size: T, bounding_boxes: float32) -> (begin: T, size: T, bboxes: "
                    "float32) stateful draws_numbers",
       .attrs = "T: type in [uint8, int8, int16, int32, int64]; seed: int = 0; seed2: int = 0; min_object_covered: "
                "float = 0.1; aspect_ratio_range: list(float) = [0.75, 1.33]; area_range: list(float) = [0.05, 1]; "
                "max_attempts: int = 100; use_image_if_no_bounding_boxes: bool = false",
       .doc = "A random part of an image of image_size, [height, width, channels], with an aspect ratio and an area of "
              "these ranges, that covers at least min_object_covered of a box: where it begins, its size, and both as "
              "a box whose corners count from 0 to 1. The whole image where max_attempts did not find one.",
       .shape = "[3] [b n 4] -> [3] [3] [1 1 4]",
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = {"seed=7 seed2=3 min_object_covered=0/0.1/0.9 use_image_if_no_bounding_boxes=false/true: "
                   "{40, 30, 3} [b n 4] in 0..1",
                   "seed=1 max_attempts=1/3 aspect_ratio_range=[0.1, 5] area_range=[0.01, 0.3]: "
                   "{7, 90, 1} [1 n 4] in 0..1",
                   "seed=5 aspect_ratio_range=[1, 1] area_range=[1, 1] use_image_if_no_bounding_boxes=true: "
                   "{0, 12, 1} [0 0 4]"}},
      {.signature = "SampleDistortedBoundingBoxV2(image_size: T, bounding_boxes: float32, min_object_covered: float32) "
                    "-> (begin: T, size: T, bboxes: float32) stateful draws_numbers",
       .attrs = "T: type in [uint8, int8, int16, int32, int64]; seed: int = 0; seed2: int = 0; aspect_ratio_range: "
                "list(float) = [0.75, 1.33]; area_range: list(float) = [0.05, 1]; max_attempts: int = 100; "
                "use_image_if_no_bounding_boxes: bool = false",
       .doc = "SampleDistortedBoundingBox with min_object_covered as an input.",
       .shape = "[3] [b n 4] [] -> [3] [3] [1 1 4]",
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = {"seed=7 seed2=3 use_image_if_no_bounding_boxes=false/true: {40, 30, 3} [b n 4] in 0..1 [] in 0..1",
                   "seed=1 max_attempts=1/3 aspect_ratio_range=[0.1, 5] area_range=[0.01, 0.3]: "
                   "{7, 90, 1} [1 n 4] in 0..1 0.1"}},
  };
  return rows;
}

}  // namespace plumb::topics
