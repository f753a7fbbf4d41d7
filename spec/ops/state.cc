#include "spec/ops/families.h"
#include "spec/ops/gradients.h"
#include "spec/ops/shape_rules.h"

namespace plumb {

std::span<const OpRow> StateOps() {
  static const OpRow rows[] = {
      {.signature = "Variable() -> (ref: ref dtype) stateful",
       .attrs = "shape: shape; dtype: type; container: string = ''; shared_name: string = ''",
       .doc = "A reference to a variable that lives under container and name; an unknown shape is written as "
              "a scalar's (rule R12).",
       .shape_fn = shape_rules::Variable,
       .sample = "-"},
      {.signature = "VariableV2() -> (ref: ref dtype) stateful",
       .attrs = "shape: shape; dtype: type; container: string = ''; shared_name: string = ''",
       .doc = "A reference to a variable of this type and shape that lives under container and name (rules "
              "R3, R10).",
       .shape_fn = shape_rules::OfShapeAttr,
       .sample = "-"},
      {.signature = "IsVariableInitialized(ref: ref dtype) -> (is_initialized: bool) allows_uninitialized_input",
       .attrs = "dtype: type",
       .doc = "Whether the variable holds a value (rule R11).",
       .shape = "? -> []",
       .sample = "[d...]"},
      {.signature = "Assign(ref: ref T, value: T) -> (output_ref: ref T) allows_uninitialized_input",
       .attrs = "T: type; validate_shape: bool = true; use_locking: bool = true",
       .doc = "Puts value into the variable. Shapes must agree if validate_shape (rules R20, R21).",
       .shape_fn = shape_rules::Assign,
       .gradient = BlocksGradient(),
       .sample = "[d...] [d...] | validate_shape=false: [a] [b 2]"},
      {.signature = "AssignAdd(ref: ref T, value: T) -> (output_ref: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "Adds value to the variable, in place (rule R22).",
       .shape = "[d...] [d...] -> [d...]",
       .gradient = BlocksGradient()},
      {.signature = "AssignSub(ref: ref T, value: T) -> (output_ref: ref T)",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "Subtracts value from the variable, in place (rule R22).",
       .shape = "[d...] [d...] -> [d...]",
       .gradient = BlocksGradient()},
      {.signature = "ScatterAdd(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "Adds updates to the rows of the variable that the indices name; duplicates accumulate. A "
              "scalar update goes to every such row (rule R23).",
       .shape_fn = shape_rules::ScatterUpdate,
       .accuracy = Summation(),
       .gradient = BlocksGradient(),
       .sample = "[V b] [n] in 0..V [n b] | [V] [n k] in 0..V [n k] | [V b] [n] in 0..V []"},
      {.signature = "ScatterSub(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "Subtracts updates from the rows of the variable that the indices name; duplicates accumulate. "
              "A scalar update goes to every such row (rule R23).",
       .shape_fn = shape_rules::ScatterUpdate,
       .accuracy = Summation(),
       .gradient = BlocksGradient(),
       .sample = "[V b] [n] in 0..V [n b] | [V] [n k] in 0..V [n k] | [V b] [n] in 0..V []"},
      {.signature = "CountUpTo(ref: ref T) -> (output: T)",
       .attrs = "limit: int; T: type in [int32, int64]",
       .doc = "The value before adding one to the variable, a scalar; at `limit` it stays and the op fails "
              "with OUT_OF_RANGE (rule R25).",
       .shape = "[] -> []",
       .sample = "limit=100: [] in 0..10"},
      {.signature = "VarHandleOp() -> (resource: resource) stateful",
       .attrs = "container: string = ''; shared_name: string = ''; dtype: type; shape: shape; allowed_devices: "
                "list(string) = []",
       .doc = "A handle to the resource variable under container and shared_name; it exists once it is "
              "assigned (rules R3, R40).",
       .shape = "-> []",
       .sample = "-"},
      {.signature = "VarIsInitializedOp(resource: resource) -> (is_initialized: bool) stateful",
       .doc = "Whether the resource variable exists.",
       .shape = "[] -> []",
       .gradient = BlocksGradient(),
       .sample = "[d...]"},
      {.signature = "ReadVariableOp(resource: resource) -> (value: dtype) stateful",
       .attrs = "dtype: type",
       .doc = "The value of the resource variable, as it is now (rule R42).",
       .shape_fn = shape_rules::ReadVariable,
       .gradient = ReadVariableOpGradient,
       .sample = "[d...]"},
      {.signature = "VariableShape(input: resource) -> (output: out_type) stateful",
       .attrs = "out_type: type = int32 in [int32, int64]",
       .doc = "The shape of the resource variable's value; an error where there is none (rule R48).",
       .shape = "[] -> [?]",
       .gradient = BlocksGradient(),
       .sample = "[d...]"},
      {.signature = "AssignVariableOp(resource: resource, value: dtype) -> () stateful",
       .attrs = "dtype: type; validate_shape: bool = false",
       .doc = "Creates the resource variable or replaces its value (rule R41).",
       .shape_fn = shape_rules::AssignVariable,
       .sample = "[d...] [d...]"},
      {.signature = "AssignAddVariableOp(resource: resource, value: dtype) -> () stateful",
       .attrs = "dtype: type",
       .doc = "Adds value to the resource variable; shapes must agree (rule R43).",
       .shape_fn = shape_rules::AssignVariable,
       .sample = "[d...] [d...]"},
      {.signature = "ResourceGather(resource: resource, indices: Tindices) -> (output: dtype) stateful",
       .attrs = "batch_dims: int = 0; validate_indices: bool = true; dtype: type; Tindices: type in [int32, "
                "int64]",
       .doc = "The rows of the resource variable that the indices name; one out of range is an error (rule "
              "R44).",
       .shape_fn = shape_rules::ResourceGather,
       .gradient = ResourceGatherGradient,
       .sample = "[V b] [n] in 0..V | [V] [i j] in 0..V | batch_dims=1: [a V] [a 2] in 0..V"},
  };
  return rows;
}

}  // namespace plumb
