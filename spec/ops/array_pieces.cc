#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> ArrayPieceOps() {
  static const OpRow rows[] = {
      {.signature = "ConcatV2(values: T*N, axis: Tidx) -> (output: T)",
       .attrs = "N: int >= 2; T: type; Tidx: type = int32 in [int32, int64]"},
      {.signature = "Pack(values: T*N) -> (output: T)", .attrs = "N: int >= 1; T: type; axis: int = 0"},
      {.signature = "Unpack(value: T) -> (output: T*num)", .attrs = "num: int >= 0; T: type; axis: int = 0"},
      {.signature = "Split(split_dim: int32, value: T) -> (output: T*num_split)",
       .attrs = "num_split: int >= 1; T: type"},
      {.signature = "SplitV(value: T, size_splits: Tlen, split_dim: int32) -> (output: T*num_split)",
       .attrs = "num_split: int >= 1; T: type; Tlen: type = int64 in [int8, int32, int64]"},
      {.signature = "Slice(input: T, begin: Index, size: Index) -> (output: T)",
       .attrs = "T: type; Index: type in [int32, int64]"},
      {.signature = "StridedSlice(input: T, begin: Index, end: Index, strides: Index) -> (output: T)",
       .attrs = "T: type; Index: type in [int16, int32, int64]; begin_mask: int = 0; end_mask: int = 0; "
                "ellipsis_mask: int = 0; new_axis_mask: int = 0; shrink_axis_mask: int = 0"},
      {.signature = "StridedSliceGrad(shape: Index, begin: Index, end: Index, strides: Index, dy: T) -> (output: T)",
       .attrs = "T: type; Index: type in [int32, int64]; begin_mask: int = 0; end_mask: int = 0; ellipsis_mask: "
                "int = 0; new_axis_mask: int = 0; shrink_axis_mask: int = 0"},
      {.signature = "Pad(input: T, paddings: Tpaddings) -> (output: T)",
       .attrs = "T: type; Tpaddings: type = int32 in [int32, int64]"},
      {.signature = "Tile(input: T, multiples: Tmultiples) -> (output: T)",
       .attrs = "T: type; Tmultiples: type = int32 in [int32, int64]"},
      {.signature = "TileGrad(input: T, multiples: int32) -> (output: T)", .attrs = "T: type"},
      {.signature = "Transpose(x: T, perm: Tperm) -> (y: T)",
       .attrs = "T: type; Tperm: type = int32 in [int32, int64]"},
      {.signature = "ReverseV2(tensor: T, axis: Tidx) -> (output: T)",
       .attrs = "Tidx: type = int32 in [int32, int64]; T: type in [numbers, bool, string]"},
      {.signature = "ReverseSequence(input: T, seq_lengths: Tlen) -> (output: T)",
       .attrs = "seq_dim: int; batch_dim: int = 0; T: type; Tlen: type = int64 in [int32, int64]"},
      {.signature = "GatherV2(params: Tparams, indices: Tindices, axis: Taxis) -> (output: Tparams)",
       .attrs = "batch_dims: int = 0; Tparams: type; Tindices: type in [int16, int32, int64]; Taxis: type in "
                "[int32, int64]"},
      {.signature = "DynamicPartition(data: T, partitions: int32) -> (outputs: T*num_partitions)",
       .attrs = "num_partitions: int >= 1; T: type"},
      {.signature = "DynamicStitch(indices: int32*N, data: T*N) -> (merged: T)", .attrs = "N: int >= 1; T: type"},
  };
  return rows;
}

}  // namespace plumb
