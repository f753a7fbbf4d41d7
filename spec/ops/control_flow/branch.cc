#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// What all inputs have in common: any of them may be the one that comes out.
Shapes MergeShapes(const ShapeContext& c) {
  PartialShape output = c.input(0);
  for (int i = 1; i < c.num_inputs() && output.has_rank(); ++i) {
    const PartialShape& input = c.input(i);
    if (input.rank() != output.rank()) output = PartialShape::Unknown();
    for (int axis = 0; axis < output.rank(); ++axis) {
      if (input.dim(axis) != output.dim(axis)) output = WithDim(output, axis, -1);
    }
  }
  return {output, PartialShape(Shape())};
}

Shapes ShapesOfData(const ShapeContext& c) {
  RequireScalar(c, 1);
  return Shapes(static_cast<size_t>(c.num_outputs()), c.input(0));
}

}  // namespace

std::span<const OpRow> ControlFlowBranch() {
  static const OpRow rows[] = {
      {.signature = "Switch(data: T, pred: bool) -> (output_false: T, output_true: T)",
       .attrs = "T: type",
       .doc = "Gives data at output_true or at output_false, as pred says; the other output is dead (rule "
              "X31). pred must be a scalar.",
       .kind = OpKind::kSwitch,
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, resource, string, variant]",
       .shape = "[d...] [] -> [d...] [d...]",
       .gradient = ControlFlowGradient(),
       .samples = {"-: the executor itself"}},
      {.signature = "RefSwitch(data: ref T, pred: bool) -> (output_false: ref T, output_true: ref T) "
                    "allows_uninitialized_input",
       .attrs = "T: type",
       .doc = "Switch of a reference, which may be uninitialized.",
       .kind = OpKind::kSwitch,
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, resource, string, variant]",
       .shape = "[d...] [] -> [d...] [d...]",
       .gradient = ControlFlowGradient(),
       .samples = {"-: the executor itself"}},
      {.signature = "_SwitchN(data: T, output_index: int32) -> (outputs: T*num_outs)",
       .attrs = "num_outs: int >= 1; T: type",
       .doc = "Gives data at the output that output_index names, at the last one if it names none; the others are dead "
              "(rule X31). output_index must be a scalar.",
       .kind = OpKind::kSwitch,
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, resource, string, variant]",
       .shape_fn = ShapesOfData,
       .samples = {"-: the executor itself"}},
      {.signature = "Merge(inputs: T*N) -> (output: T, value_index: int32)",
       .attrs = "T: type; N: int >= 1",
       .doc = "Gives the first live input, and its position (rules X32–X34).",
       .kind = OpKind::kMerge,
       .shape_fn = MergeShapes,
       .gradient = ControlFlowGradient(),
       .samples = {"-: the executor itself"}},
      {.signature = "RefMerge(inputs: ref T*N) -> (output: ref T, value_index: int32)",
       .attrs = "T: type; N: int >= 1",
       .doc = "Merge of references.",
       .kind = OpKind::kMerge,
       .shape_fn = MergeShapes,
       .gradient = ControlFlowGradient(),
       .samples = {"-: the executor itself"}},
  };
  return rows;
}

}  // namespace plumb::topics
