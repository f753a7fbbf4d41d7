#include "spec/ops/op_def.h"

namespace plumb::topics {

std::span<const OpRow> ImageAdjust() {
  static const OpRow rows[] = {
      {.signature = "AdjustContrastv2(images: T, contrast_factor: float32) -> (output: T)",
       .attrs = "T: type = float32 in [float16, float32]",
       .doc = "How far each pixel is from the mean of its channel over the image, times contrast_factor.",
       .cpu = "T in [float32]",
       .gpu = "T in [float32]",
       .shape = "[d... h w c] [] -> [d... h w c]",
       .cost = 4,
       .accuracy = Summation(),
       .samples = {"[b h w c] []", "[h w 3] in 0..1 []"}},
      {.signature = "AdjustContrast(images: T, contrast_factor: float32, min_value: float32, max_value: float32) -> "
                    "(output: float32)",
       .attrs = "T: type in [uint8, int8, int16, int32, int64, float32, float64]",
       .doc = "AdjustContrastv2 of images of any numbers, held between min_value and max_value.",
       .cpu = "T in [uint8, int8, int16, int32, float32, float64]",
       .gpu = "all",
       .shape = "[d... h w c] [] [] [] -> [d... h w c]",
       .cost = 4,
       .accuracy = Summation(),
       .samples = {"[b h w c] [] -2 90", "[h w 3] in 0..100 [] 10 20.5"},
       .deprecated = {2, "Use AdjustContrastv2 instead"}},
      {.signature = "AdjustHue(images: T, delta: float32) -> (output: T)",
       .attrs = "T: type = float32 in [float16, float32]",
       .doc = "The pixels with their hue, which goes around from 0 to 1, moved by delta.",
       .cpu = "T in [float32]",
       .gpu = "T in [float32]",
       .shape = "[d... h w c] ? -> [d... h w c]",
       .cost = 32,
       .accuracy = Composed(1),
       .samples = {"[b h w 3] []", "[h w 3] in 0..1 [] in -1..1"}},
      {.signature = "AdjustSaturation(images: T, scale: float32) -> (output: T)",
       .attrs = "T: type = float32 in [float16, float32]",
       .doc = "The pixels with their saturation times scale, held between 0 and 1.",
       .cpu = "T in [float32]",
       .gpu = "T in [float32]",
       .shape = "[d... h w c] ? -> [d... h w c]",
       .cost = 32,
       .accuracy = Composed(1),
       .samples = {"[b h w 3] []", "[h w 3] in 0..1 [] in 0..3"}},
  };
  return rows;
}

}  // namespace plumb::topics
