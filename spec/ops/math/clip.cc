#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

std::span<const OpRow> MathClip() {
  static const OpRow rows[] = {
      {.signature = "ClipByValue(t: T, clip_value_min: T, clip_value_max: T) -> (output: T<either_zero>)",
       .attrs = "T: type in [numbers, quantized]",
       .doc = "max(min(t, clip_value_max), clip_value_min); NaN stays NaN. Each limit is a scalar or has the shape of "
              "t. Real and imaginary parts are limited on their own.",
       .cpu = "T in [floats, complexes, int8, int16, int32, int64, uint8, uint16]",
       .gpu = "T in [floats, int8, int16, int64, uint8, uint16]",
       .shape_fn = LikeFirst,
       .samples = {"[d...] [] []", "[d...] [d...] [d...]", "[a b] [] [a b]", "[a b] [a b] []",
                   "T in [floats, int8, int16, int32, int64]: [d...] -2 3"}},
  };
  return rows;
}

}  // namespace plumb::topics
