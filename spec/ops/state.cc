#include "spec/ops/families.h"

namespace plumb {

std::span<const OpRow> StateOps() {
  static const OpRow rows[] = {
      {.signature = "Variable() -> (ref: ref dtype) stateful",
       .attrs = "shape: shape; dtype: type; container: string = ''; shared_name: string = ''"},
      {.signature = "VariableV2() -> (ref: ref dtype) stateful",
       .attrs = "shape: shape; dtype: type; container: string = ''; shared_name: string = ''"},
      {.signature = "IsVariableInitialized(ref: ref dtype) -> (is_initialized: bool) allows_uninitialized_input",
       .attrs = "dtype: type"},
      {.signature = "Assign(ref: ref T, value: T) -> (output_ref: ref T) allows_uninitialized_input",
       .attrs = "T: type; validate_shape: bool = true; use_locking: bool = true",
       .gradient = BlocksGradient()},
      {.signature = "AssignAdd(ref: ref T, value: T) -> (output_ref: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .gradient = BlocksGradient()},
      {.signature = "AssignSub(ref: ref T, value: T) -> (output_ref: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .gradient = BlocksGradient()},
      {.signature = "ScatterAdd(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .gradient = BlocksGradient()},
      {.signature = "ScatterSub(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .gradient = BlocksGradient()},
      {.signature = "CountUpTo(ref: ref T) -> (output: T)", .attrs = "limit: int; T: type in [int32, int64]"},
      {.signature = "VarHandleOp() -> (resource: resource) stateful",
       .attrs = "container: string = ''; shared_name: string = ''; dtype: type; shape: shape; allowed_devices: "
                "list(string) = []"},
      {.signature = "VarIsInitializedOp(resource: resource) -> (is_initialized: bool) stateful",
       .gradient = BlocksGradient()},
      {.signature = "ReadVariableOp(resource: resource) -> (value: dtype) stateful", .attrs = "dtype: type"},
      {.signature = "AssignVariableOp(resource: resource, value: dtype) -> () stateful",
       .attrs = "dtype: type; validate_shape: bool = false"},
      {.signature = "AssignAddVariableOp(resource: resource, value: dtype) -> () stateful", .attrs = "dtype: type"},
      {.signature = "ResourceGather(resource: resource, indices: Tindices) -> (output: dtype) stateful",
       .attrs = "batch_dims: int = 0; validate_indices: bool = true; dtype: type; Tindices: type in [int32, "
                "int64]"},
  };
  return rows;
}

}  // namespace plumb
