#include <algorithm>

#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// updates.shape = indices.shape + variable.shape[1:], or a scalar for every row (rules R23, R45). A variable without
// rows is the kernel's to refuse.
void CheckUpdates(const ShapeContext& c, const PartialShape& variable) {
  const PartialShape& updates = c.input(2);
  const bool is_scalar = updates.rank() == 0;
  if (variable.has_rank() && updates.has_rank() && !is_scalar) {
    const PartialShape row = Part(variable, std::min(1, variable.rank()));
    MergeShapes(c, Join(c.input(1), row), updates);
  }
}

Shapes ScatterUpdateShapes(const ShapeContext& c) {
  CheckUpdates(c, c.input(0));
  return {c.input(0)};
}

Shapes ResourceScatterShapes(const ShapeContext& c) {
  CheckUpdates(c, DeclaredShape(c, 0, "dtype"));
  return {};
}

}  // namespace

std::span<const OpRow> StateScatter() {
  static const OpRow rows[] = {
      {.signature = "ScatterUpdate(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T) sets updates_rows",
       .attrs = "T: type; Tindices: type in [int32, int64]; use_locking: bool = true",
       .doc = "Puts updates into the rows of the variable that the indices name; of two for one row the last stays. A "
              "scalar update goes to every such row (rule R23).",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterUpdateShapes,
       .samples = {"use_locking=false/true: [V b] [n] in 0..V [n b]", "[V] [n k] in 0..V [n k]",
                   "[V b] [n] in 0..V []"}},
      {.signature = "ScatterAdd(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T) adds updates_rows",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "Adds updates to the rows of the variable that the indices name; duplicates accumulate. A scalar update "
              "goes to every such row (rule R23).",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterUpdateShapes,
       .accuracy = Summation(),
       .gradient = BlocksGradient(),
       .samples = {"use_locking=false/true: [V b] [n] in 0..V [n b]", "[V] [n k] in 0..V [n k]",
                   "[V b] [n] in 0..V []"}},
      {.signature =
           "ScatterSub(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T) subtracts updates_rows",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "Subtracts updates from the rows of the variable that the indices name; duplicates accumulate. A scalar "
              "update goes to every such row (rule R23).",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterUpdateShapes,
       .accuracy = Summation(),
       .gradient = BlocksGradient(),
       .samples = {"use_locking=false/true: [V b] [n] in 0..V [n b]", "[V] [n k] in 0..V [n k]",
                   "[V b] [n] in 0..V []"}},
      {.signature = "ScatterMul(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T) updates_rows",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "Multiplies the rows of the variable that the indices name by updates; duplicates multiply. A scalar "
              "update goes to every such row (rule R23).",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterUpdateShapes,
       .accuracy = Composed(1),
       .gradient = BlocksGradient(),
       .samples = {"use_locking=false/true: [V b] [n] in 0..V [n b]", "[V] [n k] in 0..V [n k]",
                   "[V b] [n] in 0..V []"}},
      {.signature = "ScatterDiv(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T) updates_rows",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "Divides the rows of the variable that the indices name by updates; duplicates divide. A scalar update "
              "goes to every such row (rule R23).",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterUpdateShapes,
       .accuracy = Composed(1),
       .gradient = BlocksGradient(),
       .samples = {"use_locking=false/true: [V b] [n] in 0..V [n b] nonzero", "[V] [n k] in 0..V [n k] nonzero",
                   "[V b] [n] in 0..V [] nonzero"}},
      {.signature =
           "ScatterMin(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T<either_zero>) updates_rows",
       .attrs = "T: type in [floats, int32, int64]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "Keeps the smaller of updates and the rows of the variable that the indices name. A scalar update goes "
              "to every such row (rule R23).",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterUpdateShapes,
       .samples = {"use_locking=false/true: [V b] [n] in 0..V [n b]", "[V] [n k] in 0..V [n k]",
                   "[V b] [n] in 0..V []"}},
      {.signature =
           "ScatterMax(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T<either_zero>) updates_rows",
       .attrs = "T: type in [floats, int32, int64]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "Keeps the larger of updates and the rows of the variable that the indices name. A scalar update goes to "
              "every such row (rule R23).",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterUpdateShapes,
       .samples = {"use_locking=false/true: [V b] [n] in 0..V [n b]", "[V] [n k] in 0..V [n k]",
                   "[V b] [n] in 0..V []"}},
      {.signature = "ResourceScatterUpdate(resource: resource<Variable>, indices: Tindices, updates: dtype) -> () "
                    "stateful sets updates_rows",
       .attrs = "dtype: type; Tindices: type in [int32, int64]",
       .doc = "Puts updates into the rows of the variable that the indices name; of two for one row the last stays. A "
              "scalar update goes to every such row (rule R45).",
       .cpu = "dtype in [numbers, bool, string, variant]",
       .gpu = "dtype in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ResourceScatterShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"[V b] [n] in 0..V [n b]", "[V] [n k] in 0..V [n k]", "[V b] [n] in 0..V []"}},
      {.signature = "ResourceScatterAdd(resource: resource<Variable>, indices: Tindices, updates: dtype) -> () "
                    "stateful adds updates_rows",
       .attrs = "dtype: type in [numbers, quantized]; Tindices: type in [int32, int64]",
       .doc = "Adds updates to the rows of the variable that the indices name; duplicates accumulate. A scalar update "
              "goes to every such row (rule R45).",
       .cpu = "dtype in [numbers]",
       .gpu = "dtype in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ResourceScatterShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .samples = {"[V b] [n] in 0..V [n b]", "[V] [n k] in 0..V [n k]", "[V b] [n] in 0..V []"}},
      {.signature = "ResourceScatterSub(resource: resource<Variable>, indices: Tindices, updates: dtype) -> () "
                    "stateful subtracts updates_rows",
       .attrs = "dtype: type in [numbers, quantized]; Tindices: type in [int32, int64]",
       .doc = "Subtracts updates from the rows of the variable that the indices name; duplicates accumulate. A scalar "
              "update goes to every such row (rule R45).",
       .cpu = "dtype in [numbers]",
       .gpu = "dtype in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ResourceScatterShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .samples = {"[V b] [n] in 0..V [n b]", "[V] [n k] in 0..V [n k]", "[V b] [n] in 0..V []"}},
      {.signature = "ResourceScatterMul(resource: resource<Variable>, indices: Tindices, updates: dtype) -> () "
                    "stateful updates_rows",
       .attrs = "dtype: type in [numbers, quantized]; Tindices: type in [int32, int64]",
       .doc = "Multiplies the rows of the variable that the indices name by updates; duplicates multiply. A scalar "
              "update goes to every such row (rule R45).",
       .cpu = "dtype in [numbers]",
       .gpu = "dtype in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ResourceScatterShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"[V b] [n] in 0..V [n b]", "[V] [n k] in 0..V [n k]", "[V b] [n] in 0..V []"}},
      {.signature = "ResourceScatterDiv(resource: resource<Variable>, indices: Tindices, updates: dtype) -> () "
                    "stateful updates_rows",
       .attrs = "dtype: type in [numbers, quantized]; Tindices: type in [int32, int64]",
       .doc = "Divides the rows of the variable that the indices name by updates; duplicates divide. A divisor of zero "
              "is an error. A scalar update goes to every such row (rule R45).",
       .cpu = "dtype in [numbers]",
       .gpu = "dtype in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ResourceScatterShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(1),
       .samples = {"[V b] [n] in 0..V [n b] nonzero", "[V] [n k] in 0..V [n k] nonzero",
                   "[V b] [n] in 0..V [] nonzero"}},
      {.signature = "ResourceScatterMin(resource: resource<Variable>, indices: Tindices, updates: dtype) -> () "
                    "stateful updates_rows",
       .attrs = "dtype: type in [numbers, quantized]; Tindices: type in [int32, int64]",
       .doc = "Keeps the smaller of updates and the rows of the variable that the indices name. A scalar update goes "
              "to every such row (rule R45).",
       .cpu = "dtype in [floats, ints]",
       .gpu = "dtype in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ResourceScatterShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"[V b] [n] in 0..V [n b]", "[V] [n k] in 0..V [n k]", "[V b] [n] in 0..V []"}},
      {.signature = "ResourceScatterMax(resource: resource<Variable>, indices: Tindices, updates: dtype) -> () "
                    "stateful updates_rows",
       .attrs = "dtype: type in [numbers, quantized]; Tindices: type in [int32, int64]",
       .doc = "Keeps the larger of updates and the rows of the variable that the indices name. A scalar update goes to "
              "every such row (rule R45).",
       .cpu = "dtype in [floats, ints]",
       .gpu = "dtype in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ResourceScatterShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"[V b] [n] in 0..V [n b]", "[V] [n k] in 0..V [n k]", "[V b] [n] in 0..V []"}},
  };
  return rows;
}

}  // namespace plumb::topics
