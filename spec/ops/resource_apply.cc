#include "spec/ops/resource_apply.h"

namespace plumb::topics {
namespace {

// The input of one of these names; -1: there is none.
int InputCalled(const ShapeContext& c, std::string_view name, std::string_view or_name) {
  for (int i = 0; i < c.num_inputs(); ++i) {
    const std::string& input = c.op().inputs[static_cast<size_t>(i)].name;
    if (input == name || input == or_name) return i;
  }
  return -1;
}

// As many rows as there are indices, each of the variable's.
void CheckRows(const ShapeContext& c, const PartialShape& variable, int gradient, int indices) {
  const PartialShape vector = WithRank(c, indices, 1);
  if (!variable.has_rank()) return;
  const PartialShape& rows = WithRankAtLeast(c, gradient, 1);
  if (!rows.has_rank()) return;
  MergeDims(c, vector.dim(0), rows.dim(0));
  MergeShapes(c, variable, WithDim(rows, 0, -1));
}

}  // namespace

Shapes ResourceApplyShapes(const ShapeContext& c) {
  const int gradient = InputCalled(c, "grad", "delta"), indices = InputCalled(c, "indices", "indices");
  // FtrlV2 takes an lr_power of any shape, and leaves it to the kernel to refuse it.
  const int unchecked = InputCalled(c, "l2_shrinkage", "l2_shrinkage") < 0 ? -1 : c.num_inputs() - 1;
  PartialShape variable = PartialShape::Unknown();
  for (int i = 0; i < c.num_inputs(); ++i) {
    if (!c.op().inputs[static_cast<size_t>(i)].handle.empty()) {
      variable = MergeShapes(c, variable, DeclaredShape(c, i, "T"));
    } else if (i != gradient && i != indices && i != unchecked) {
      RequireScalar(c, i);
    }
  }
  if (indices < 0) {
    MergeShapes(c, variable, c.input(gradient));
  } else {
    CheckRows(c, variable, gradient, indices);
  }
  return {};
}

}  // namespace plumb::topics
