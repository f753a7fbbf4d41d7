#include "spec/ops/named_slices.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ScatterNdShapes(const ShapeContext& c) {
  const bool is_resource = c.num_outputs() == 0;
  const PartialShape variable = is_resource ? DeclaredShape(c, 0, "T") : c.input(0);
  RequireSlicesFit(c, variable, WithRankAtLeast(c, 1, 1), WithRankAtLeast(c, 2, 1));  // R24
  return is_resource ? Shapes() : Shapes{variable};
}

}  // namespace

std::span<const OpRow> StateScatterNd() {
  static const OpRow rows[] = {
      {.signature =
           "ScatterNdUpdate(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T) sets updates_slices",
       .attrs = "T: type; Tindices: type in [int32, int64]; use_locking: bool = true",
       .doc = "Puts updates into the slices of the variable that the rows of indices name, one after the other (rule "
              "R24).",
       .cpu = "T in [numbers, bool, string]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterNdShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = BlocksGradient(),
       .samples = {"use_locking=false/true: [V B] [n 1] in 0..V [n B]", "[4 4] [n 2] in 0..4 [n]",
                   "[3 3 B] [i j 2] in 0..3 [i j B]"}},
      {.signature =
           "ScatterNdAdd(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T) adds updates_slices",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc =
           "Adds updates to the slices of the variable that the rows of indices name, one after the other (rule R24).",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterNdShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .gradient = BlocksGradient(),
       .samples = {"use_locking=false/true: [V B] [n 1] in 0..V [n B]", "[4 4] [n 2] in 0..4 [n]",
                   "[3 3 B] [i j 2] in 0..3 [i j B]"}},
      {.signature =
           "ScatterNdSub(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T) subtracts updates_slices",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "Subtracts updates from the slices of the variable that the rows of indices name, one after the other "
              "(rule R24).",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterNdShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .gradient = BlocksGradient(),
       .samples = {"use_locking=false/true: [V B] [n 1] in 0..V [n B]", "[4 4] [n 2] in 0..4 [n]",
                   "[3 3 B] [i j 2] in 0..3 [i j B]"}},
      {.signature =
           "ScatterNdMax(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T<either_zero>) updates_slices",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "Puts each update in the place of the element that it is greater than, in the slices of the variable "
              "that the rows "
              "of indices name, one after the other (rule R24).",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterNdShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"use_locking=false/true: [V B] [n 1] in 0..V [n B]", "[4 4] [n 2] in 0..4 [n]",
                   "[3 3 B] [i j 2] in 0..3 [i j B]"}},
      {.signature =
           "ScatterNdMin(ref: ref T, indices: Tindices, updates: T) -> (output_ref: ref T<either_zero>) updates_slices",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; use_locking: bool = false",
       .doc = "Puts each update in the place of the element that it is less than, in the slices of the variable that "
              "the rows "
              "of indices name, one after the other (rule R24).",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterNdShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"use_locking=false/true: [V B] [n 1] in 0..V [n B]", "[4 4] [n 2] in 0..4 [n]",
                   "[3 3 B] [i j 2] in 0..3 [i j B]"}},
      {.signature = "ResourceScatterNdUpdate(ref: resource<Variable>, indices: Tindices, updates: T) -> () stateful "
                    "sets updates_slices",
       .attrs = "T: type; Tindices: type in [int32, int64]; use_locking: bool = true",
       .doc = "ScatterNdUpdate of a resource variable (rules R24, R45).",
       .cpu = "T in [numbers, bool, string]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterNdShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"use_locking=false/true: [V b] [n 1] in 0..V [n b]", "[4 4] [n 2] in 0..4 [n]",
                   "[3 3 b] [i j 2] in 0..3 [i j b]"}},
      {.signature = "ResourceScatterNdAdd(ref: resource<Variable>, indices: Tindices, updates: T) -> () stateful adds "
                    "updates_slices",
       .attrs = "T: type; Tindices: type in [int32, int64]; use_locking: bool = true",
       .doc = "ScatterNdAdd of a resource variable (rules R24, R45).",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterNdShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .samples = {"use_locking=false/true: [V b] [n 1] in 0..V [n b]", "[4 4] [n 2] in 0..4 [n]",
                   "[3 3 b] [i j 2] in 0..3 [i j b]"}},
      {.signature = "ResourceScatterNdSub(ref: resource<Variable>, indices: Tindices, updates: T) -> () stateful "
                    "subtracts updates_slices",
       .attrs = "T: type; Tindices: type in [int32, int64]; use_locking: bool = true",
       .doc = "ScatterNdSub of a resource variable (rules R24, R45).",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterNdShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .samples = {"use_locking=false/true: [V b] [n 1] in 0..V [n b]", "[4 4] [n 2] in 0..4 [n]",
                   "[3 3 b] [i j 2] in 0..3 [i j b]"}},
      {.signature =
           "ResourceScatterNdMax(ref: resource<Variable>, indices: Tindices, updates: T) -> () stateful updates_slices",
       .attrs = "T: type; Tindices: type in [int32, int64]; use_locking: bool = true",
       .doc = "ScatterNdMax of a resource variable (rules R24, R45).",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterNdShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"use_locking=false/true: [V b] [n 1] in 0..V [n b]", "[4 4] [n 2] in 0..4 [n]",
                   "[3 3 b] [i j 2] in 0..3 [i j b]"}},
      {.signature =
           "ResourceScatterNdMin(ref: resource<Variable>, indices: Tindices, updates: T) -> () stateful updates_slices",
       .attrs = "T: type; Tindices: type in [int32, int64]; use_locking: bool = true",
       .doc = "ScatterNdMin of a resource variable (rules R24, R45).",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterNdShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"use_locking=false/true: [V b] [n 1] in 0..V [n b]", "[4 4] [n 2] in 0..4 [n]",
                   "[3 3 b] [i j 2] in 0..3 [i j b]"}},
  };
  return rows;
}

}  // namespace plumb::topics
