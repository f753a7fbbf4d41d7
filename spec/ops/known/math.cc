// Mathematics beside that of the catalogue.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> Math() {
  static constexpr Signature kSignatures[] = {
      {"ApproxTopK(input: T) -> (values: T, indices: int32)",
       "k: int >= 0; reduction_dimension: int = -1; recall_target: float = 0.949999988079071; is_max_k: bool = true; "
       "reduction_input_size_override: int = -1; aggregate_to_topk: bool = true; T: type in [float16, bfloat16, "
       "float32]"},
      {"BatchFFT(input: complex64) -> (output: complex64)", "", {15, "Use FFT"}},
      {"BatchFFT2D(input: complex64) -> (output: complex64)", "", {15, "Use FFT2D"}},
      {"BatchFFT3D(input: complex64) -> (output: complex64)", "", {15, "Use FFT3D"}},
      {"BatchIFFT(input: complex64) -> (output: complex64)", "", {15, "Use IFFT"}},
      {"BatchIFFT2D(input: complex64) -> (output: complex64)", "", {15, "Use IFFT2D"}},
      {"BatchIFFT3D(input: complex64) -> (output: complex64)", "", {15, "Use IFFT3D"}},
      {"IsotonicRegression(input: T) -> (output: output_dtype, segments: int32)",
       "T: type in [floats, ints]; output_dtype: type = float32 in [floats]"},
      {"SegmentProdV2(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: T)",
       "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; Tnumsegments: type = int32 in [int32, "
       "int64]"},
      {"SegmentSumV2(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: T)",
       "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; Tnumsegments: type = int32 in [int32, "
       "int64]"},
      {"TopKUnique(input: float32) -> (topk: float32, topk_indices: int32)", "k: int"},
      {"TopKWithUnique(input: float32) -> (topk: float32, topk_indices: int32)", "k: int"},
  };
  return kSignatures;
}

}  // namespace plumb::known
