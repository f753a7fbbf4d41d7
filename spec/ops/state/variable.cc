#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The older Variable op writes an unknown shape and a scalar alike (rule R12).
Shapes VariableShapes(const ShapeContext& c) {
  const PartialShape& shape = c.attr<PartialShape>("shape");
  return {shape.rank() <= 0 ? PartialShape::Unknown() : shape};
}

Shapes AssignShapes(const ShapeContext& c) {
  return {c.attr<bool>("validate_shape") ? MergeInputs(c, 0, 1) : c.input(1)};
}

Values RefIdentityGradient(Gradient& g) { return {g.raw_dy()}; }

}  // namespace

std::span<const OpRow> StateVariable() {
  static const OpRow rows[] = {
      {.signature = "Variable() -> (ref: ref dtype) stateful",
       .attrs = "shape: shape; dtype: type; container: string = ''; shared_name: string = ''",
       .doc = "A reference to a variable that lives under container and name; an unknown shape is written as "
              "a scalar's (rule R12).",
       .gpu = "dtype in [floats, int64]",
       .shape_fn = VariableShapes,
       .strictness = Strictness::kRepeatsDeclaration,
       .samples = {"shape=[2]: ; w = Assign T=$dtype: this [2]"}},
      {.signature = "VariableV2() -> (ref: ref dtype) stateful",
       .attrs = "shape: shape; dtype: type; container: string = ''; shared_name: string = ''",
       .doc = "A reference to a variable of this type and shape that lives under container and name (rules "
              "R3, R10).",
       .gpu = "dtype in [floats, int64]",
       .shape_fn = OfShapeAttr,
       .strictness = Strictness::kRepeatsDeclaration,
       .samples = {"shape=[2]: ; w = Assign T=$dtype: this [2]"}},
      {.signature = "RefIdentity(input: ref T) -> (output: ref T) allows_uninitialized_input",
       .attrs = "T: type",
       .doc = "Gives the reference that it gets, which may be to a variable without a value.",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] -> [d...]",
       .gradient = RefIdentityGradient,
       .gradient_trial = {.untried = "what it gives is a reference"},
       .samples = {"[d...]"}},
      {.signature = "IsVariableInitialized(ref: ref dtype) -> (is_initialized: bool) allows_uninitialized_input",
       .attrs = "dtype: type",
       .doc = "Whether the variable holds a value (rule R11).",
       .gpu = "dtype in [floats, int64]",
       .shape = "? -> []",
       .samples = {"[d...]"}},
      {.signature = "Assign(ref: ref T, value: T) -> (output_ref: ref T) allows_uninitialized_input sets updates_whole",
       .attrs = "T: type; validate_shape: bool = true; use_locking: bool = true",
       .doc = "Puts value into the variable. Shapes must agree if validate_shape (rules R20, R21).",
       .cpu = "T in [numbers, bool, qint32, qint8, quint16, quint8, resource, string, variant]",
       .gpu = "T in [floats, int64]",
       .shape_fn = AssignShapes,
       .gradient = BlocksGradient(),
       .samples = {"[d...] [d...]", "validate_shape=false: [a] [b 2]"}},
      {.signature = "AssignAdd(ref: ref T, value: T) -> (output_ref: ref T) adds updates_whole",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "Adds value to the variable, in place (rule R22).",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] [d...] -> [d...]",
       .gradient = BlocksGradient()},
      {.signature = "AssignSub(ref: ref T, value: T) -> (output_ref: ref T) subtracts updates_whole",
       .attrs = "T: type in [numbers, quantized]; use_locking: bool = false",
       .doc = "Subtracts value from the variable, in place (rule R22).",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, int64]",
       .shape = "[d...] [d...] -> [d...]",
       .gradient = BlocksGradient()},
  };
  return rows;
}

}  // namespace plumb::topics
