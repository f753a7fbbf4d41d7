#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ReadVariableShapes(const ShapeContext& c) { return {DeclaredShape(c, 0, "dtype")}; }

Shapes AssignVariableShapes(const ShapeContext& c) {
  MergeShapes(c, DeclaredShape(c, 0, "dtype"), c.input(1));
  return {};
}

Values ReadVariableOpGradient(Gradient& g) { return {g.raw_dy()}; }

}  // namespace

std::span<const OpRow> StateResourceVariable() {
  static const OpRow rows[] = {
      {.signature = "VarHandleOp() -> (resource: resource<Variable>) stateful",
       .attrs = "container: string = ''; shared_name: string = ''; dtype: type; shape: shape; allowed_devices: "
                "list(string) = []",
       .doc = "A handle to the resource variable under container and shared_name; it exists once it is "
              "assigned (rules R3, R40).",
       .gpu = "dtype in [floats, int64]",
       .shape = "-> []",
       .samples = {"shape=[2]: ; w = AssignVariableOp dtype=$dtype: this [2]; r = ReadVariableOp dtype=$dtype: this"}},
      {.signature = "VarIsInitializedOp(resource: resource<Variable>) -> (is_initialized: bool) stateful",
       .doc = "Whether the resource variable exists.",
       .gpu = "all",
       .shape = "? -> []",
       .gradient = BlocksGradient(),
       .samples = {"[d...]"}},
      {.signature = "ReadVariableOp(resource: resource<Variable>) -> (value: dtype) stateful",
       .attrs = "dtype: type",
       .doc = "The value of the resource variable, as it is now (rule R42).",
       .gpu = "dtype in [floats, int64]",
       .shape_fn = ReadVariableShapes,
       .strictness = Strictness::kRepeatsDeclaration,
       .gradient = ReadVariableOpGradient,
       .samples = {"[d...]"}},
      {.signature = "VariableShape(input: resource<Variable>) -> (output: out_type) stateful",
       .attrs = "out_type: type = int32 in [int32, int64]",
       .doc = "The shape of the resource variable's value; an error where there is none (rule R48).",
       .gpu = "all",
       .shape = "? -> [?]",
       .gradient = BlocksGradient(),
       .samples = {"[d...]"}},
      {.signature = "AssignVariableOp(resource: resource<Variable>, value: dtype) -> () stateful sets updates_whole",
       .attrs = "dtype: type; validate_shape: bool = false",
       .doc = "Creates the resource variable or replaces its value (rule R41).",
       .cpu = "dtype in [numbers, bool, qint32, qint8, quint8, resource, string, variant]",
       .gpu = "dtype in [floats, int64]",
       .shape_fn = AssignVariableShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"[d...] [d...]"}},
      {.signature = "AssignAddVariableOp(resource: resource<Variable>, value: dtype) -> () stateful adds updates_whole",
       .attrs = "dtype: type",
       .doc = "Adds value to the resource variable; shapes must agree (rule R43).",
       .cpu = "dtype in [numbers]",
       .gpu = "dtype in [floats, int64]",
       .shape_fn = AssignVariableShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"[d...] [d...]"}},
      {.signature =
           "AssignSubVariableOp(resource: resource<Variable>, value: dtype) -> () stateful subtracts updates_whole",
       .attrs = "dtype: type",
       .doc = "Subtracts value from the resource variable; shapes must agree (rule R43).",
       .cpu = "dtype in [numbers]",
       .gpu = "dtype in [floats, int64]",
       .shape_fn = AssignVariableShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"[d...] [d...]"}},
      {.signature = "DisableCopyOnRead(resource: resource<Variable>) -> () stateful",
       .doc = "Says that readers of the variable need no copies of rows that others change, from which nothing follows "
              "here; "
              "NOT_FOUND where there is none.",
       .gpu = "all",
       .shape = "? ->",
       .samples = {"[d...]"}},
      {.signature = "DestroyResourceOp(resource: resource<Variable>) -> () stateful",
       .attrs = "ignore_lookup_error: bool = true",
       .doc = "Forgets the resource variable; an error where there is none, unless ignore_lookup_error (rule R47).",
       .gpu = "all",
       .shape = "? ->",
       .samples = {"ignore_lookup_error=true/false: [d...]"}},
  };
  return rows;
}

}  // namespace plumb::topics
