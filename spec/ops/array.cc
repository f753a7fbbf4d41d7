#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> ArrayOps() {
  static const OpRow rows[] = {
      {.signature = "Const() -> (output: dtype)", .attrs = "value: tensor; dtype: type", .gradient = BlocksGradient()},
      {.signature = "Placeholder() -> (output: dtype)", .attrs = "dtype: type; shape: shape = ?"},
      {.signature = "PlaceholderWithDefault(input: dtype) -> (output: dtype)", .attrs = "dtype: type; shape: shape"},
      {.signature = "Identity(input: T) -> (output: T)", .attrs = "T: type"},
      {.signature = "StopGradient(input: T) -> (output: T)", .attrs = "T: type", .gradient = BlocksGradient()},
      {.signature = "PreventGradient(input: T) -> (output: T)", .attrs = "T: type; message: string = ''"},
      {.signature = "ZerosLike(x: T) -> (y: T)", .attrs = "T: type", .gradient = BlocksGradient()},
      {.signature = "OnesLike(x: T) -> (y: T)", .attrs = "T: type in [numbers, bool]", .gradient = BlocksGradient()},
      {.signature = "Fill(dims: index_type, value: T) -> (output: T)",
       .attrs = "T: type; index_type: type = int32 in [int32, int64]"},
      {.signature = "Range(start: Tidx, limit: Tidx, delta: Tidx) -> (output: Tidx)",
       .attrs = "Tidx: type = int32 in [floats, int8, int16, int32, int64, uint16, uint32]",
       .gradient = BlocksGradient()},
      {.signature = "OneHot(indices: TI, depth: int32, on_value: T, off_value: T) -> (output: T)",
       .attrs = "axis: int = -1; T: type; TI: type = int64 in [uint8, int8, int32, int64]",
       .gradient = BlocksGradient()},
      {.signature = "Shape(input: T) -> (output: out_type)",
       .attrs = "T: type; out_type: type = int32 in [int32, int64]",
       .gradient = BlocksGradient()},
      {.signature = "ShapeN(input: T*N) -> (output: out_type*N)",
       .attrs = "N: int >= 1; T: type; out_type: type = int32 in [int32, int64]",
       .gradient = BlocksGradient()},
      {.signature = "Size(input: T) -> (output: out_type)",
       .attrs = "T: type; out_type: type = int32 in [int32, int64]",
       .gradient = BlocksGradient()},
      {.signature = "Rank(input: T) -> (output: int32)", .attrs = "T: type", .gradient = BlocksGradient()},
      {.signature = "Reshape(tensor: T, shape: Tshape) -> (output: T)",
       .attrs = "T: type; Tshape: type = int32 in [int32, int64]"},
      {.signature = "ExpandDims(input: T, dim: Tdim) -> (output: T)",
       .attrs = "T: type; Tdim: type = int32 in [int32, int64]"},
      {.signature = "Squeeze(input: T) -> (output: T)", .attrs = "T: type; squeeze_dims: list(int) = [] >= 0"},
      {.signature = "BroadcastGradientArgs(s0: T, s1: T) -> (r0: T, r1: T)",
       .attrs = "T: type = int32 in [int32, int64]",
       .gradient = BlocksGradient()},
      {.signature = "ConcatOffset(concat_dim: int32, shape: int32*N) -> (offset: int32*N)",
       .attrs = "N: int >= 2",
       .gradient = BlocksGradient()},
      {.signature = "InvertPermutation(x: T) -> (y: T)",
       .attrs = "T: type = int32 in [int32, int64]",
       .gradient = BlocksGradient()},
      {.signature = "Unique(x: T) -> (y: T, idx: out_idx)",
       .attrs = "T: type; out_idx: type = int32 in [int32, int64]"},
      {.signature = "Where(input: T) -> (index: int64)", .attrs = "T: type = bool in [numbers, quantized, bool]"},
  };
  return rows;
}

}  // namespace plumb
