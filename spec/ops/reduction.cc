#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> ReductionOps() {
  static const OpRow rows[] = {
      {.signature = "Sum(input: T, reduction_indices: Tidx) -> (output: T)",
       .attrs = "keep_dims: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in [int32, int64]"},
      {.signature = "Mean(input: T, reduction_indices: Tidx) -> (output: T)",
       .attrs = "keep_dims: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in [int32, int64]"},
      {.signature = "Prod(input: T, reduction_indices: Tidx) -> (output: T)",
       .attrs = "keep_dims: bool = false; T: type in [numbers, quantized]; Tidx: type = int32 in [int32, int64]"},
      {.signature = "Max(input: T, reduction_indices: Tidx) -> (output: T)",
       .attrs = "keep_dims: bool = false; T: type in [floats, ints, quantized]; Tidx: type = int32 in [int32, "
                "int64]"},
      {.signature = "Min(input: T, reduction_indices: Tidx) -> (output: T)",
       .attrs = "keep_dims: bool = false; T: type in [floats, ints, quantized]; Tidx: type = int32 in [int32, "
                "int64]"},
      {.signature = "All(input: bool, reduction_indices: Tidx) -> (output: bool)",
       .attrs = "keep_dims: bool = false; Tidx: type = int32 in [int32, int64]"},
      {.signature = "Any(input: bool, reduction_indices: Tidx) -> (output: bool)",
       .attrs = "keep_dims: bool = false; Tidx: type = int32 in [int32, int64]"},
      {.signature = "ArgMax(input: T, dimension: Tidx) -> (output: output_type)",
       .attrs = "T: type in [floats, ints, quantized, bool]; Tidx: type = int32 in [int16, int32, int64]; "
                "output_type: type = int64 in [int16, uint16, int32, int64]"},
      {.signature = "ArgMin(input: T, dimension: Tidx) -> (output: output_type)",
       .attrs = "T: type in [floats, ints, quantized, bool]; Tidx: type = int32 in [int32, int64]; output_type: "
                "type = int64 in [int32, int64]"},
      {.signature = "TopKV2(input: T, k: int32) -> (values: T, indices: int32)",
       .attrs = "sorted: bool = true; T: type in [floats, ints]"},
      {.signature = "InTopK(predictions: float32, targets: T) -> (precision: bool)",
       .attrs = "k: int; T: type = int32 in [int32, int64]"},
      {.signature = "UnsortedSegmentSum(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; Tnumsegments: type = int32 "
                "in [int32, int64]"},
  };
  return rows;
}

}  // namespace plumb
