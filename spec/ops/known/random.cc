// Random numbers beside those of the catalogue.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Random() {
  static constexpr Signature kSignatures[] = {
      {"RandomIndexShuffle(index: dtype, seed: Tseed, max_index: dtype) -> (output: dtype)",
       "rounds: int = 4; dtype: type in [int32, uint32, int64, uint64]; Tseed: type in [int32, uint32, int64, uint64]"},
      {"StatelessSampleDistortedBoundingBox(image_size: T, bounding_boxes: float32, min_object_covered: float32, seed: "
       "Tseed) -> (begin: T, size: T, bboxes: float32)",
       "T: type in [uint8, int8, int16, int32, int64]; Tseed: type in [int32, int64]; aspect_ratio_range: list(float) "
       "= [0.75, 1.3300000429153442]; area_range: list(float) = [0.05000000074505806, 1.0]; max_attempts: int = 100; "
       "use_image_if_no_bounding_boxes: bool = false"},
      {"StatelessShuffle(value: T, key: uint64, counter: uint64, alg: int32) -> (output: T)", "T: type"},
  };
  return kSignatures;
}

}  // namespace plumb::known
