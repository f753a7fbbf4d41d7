// Random numbers beside those of the catalogue.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Random() {
  static constexpr Signature kSignatures[] = {
      {"NonDeterministicInts(shape: shape_dtype) -> (output: dtype) stateful",
       "dtype: type = int64; shape_dtype: type = int64"},
      {"RandomIndexShuffle(index: dtype, seed: Tseed, max_index: dtype) -> (output: dtype)",
       "rounds: int = 4; dtype: type in [int32, uint32, int64, uint64]; Tseed: type in [int32, uint32, int64, uint64]"},
      {"RngSkip(resource: resource, algorithm: int64, delta: int64) -> () stateful", ""},
      {"StatefulRandomBinomial(resource: resource, algorithm: int64, shape: S, counts: T, probs: T) -> (output: dtype) "
       "stateful",
       "S: type in [int32, int64]; T: type = float64 in [float16, float32, float64, int32, int64]; dtype: type = int64 "
       "in [float16, float32, float64, int32, int64]"},
      {"StatefulStandardNormal(resource: resource, shape: shape_dtype) -> (output: dtype) stateful",
       "dtype: type = float32; shape_dtype: type = int64",
       {29, "Use StatefulStandardNormalV2 instead"}},
      {"StatefulStandardNormalV2(resource: resource, algorithm: int64, shape: shape_dtype) -> (output: dtype) stateful",
       "dtype: type = float32; shape_dtype: type = int64"},
      {"StatefulTruncatedNormal(resource: resource, algorithm: int64, shape: shape_dtype) -> (output: dtype) stateful",
       "dtype: type = float32; shape_dtype: type = int64"},
      {"StatefulUniform(resource: resource, algorithm: int64, shape: shape_dtype) -> (output: dtype) stateful",
       "dtype: type = float32; shape_dtype: type = int64"},
      {"StatefulUniformFullInt(resource: resource, algorithm: int64, shape: shape_dtype) -> (output: dtype) stateful",
       "dtype: type = uint64; shape_dtype: type = int64"},
      {"StatefulUniformInt(resource: resource, algorithm: int64, shape: shape_dtype, minval: dtype, maxval: dtype) -> "
       "(output: dtype) stateful",
       "dtype: type = int64; shape_dtype: type = int64"},
      {"StatelessParameterizedTruncatedNormal(shape: S, seed: Tseed, means: dtype, stddevs: dtype, minvals: dtype, "
       "maxvals: dtype) -> (output: dtype)",
       "S: type in [int32, int64]; Tseed: type = int64 in [int32, int64]; dtype: type in [float16, float32, float64]"},
      {"StatelessRandomBinomial(shape: S, seed: Tseed, counts: T, probs: T) -> (output: dtype)",
       "S: type in [int32, int64]; Tseed: type = int64 in [int32, int64]; T: type = float64 in [float16, float32, "
       "float64, int32, int64]; dtype: type = int64 in [float16, float32, float64, int32, int64]"},
      {"StatelessRandomGammaV2(shape: T, seed: Tseed, alpha: dtype) -> (output: dtype)",
       "dtype: type in [float16, float32, float64]; T: type in [int32, int64]; Tseed: type = int64 in [int32, int64]"},
      {"StatelessRandomGammaV3(shape: shape_dtype, key: uint64, counter: uint64, alg: int32, alpha: dtype) -> (output: "
       "dtype)",
       "dtype: type in [float16, float32, float64]; shape_dtype: type = int32 in [int32, int64]"},
      {"StatelessRandomPoisson(shape: T, seed: Tseed, lam: Rtype) -> (output: dtype)",
       "Rtype: type in [float16, float32, float64, int32, int64]; dtype: type in [float16, float32, float64, int32, "
       "int64]; T: type in [int32, int64]; Tseed: type = int64 in [int32, int64]"},
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
