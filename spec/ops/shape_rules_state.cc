#include "spec/ops/shape_helpers.h"
#include "spec/ops/shape_rules.h"

namespace plumb::shape_rules {

// What all inputs have in common: any of them may be the one that comes out.
Shapes Merge(const ShapeContext& c) {
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

Shapes RefSelect(const ShapeContext& c) {
  RequireScalar(c, 0);
  for (int i = 1; i < c.num_inputs(); ++i) {
    if (!c.input(i).IsFullyDefined() || c.input(i) != c.input(1)) return {PartialShape::Unknown()};
  }
  return {c.input(1)};
}

// The older Variable op writes an unknown shape and a scalar alike (rule R12).
Shapes Variable(const ShapeContext& c) {
  const PartialShape& shape = c.attr<PartialShape>("shape");
  return {shape.rank() <= 0 ? PartialShape::Unknown() : shape};
}

Shapes Assign(const ShapeContext& c) { return {c.attr<bool>("validate_shape") ? MergeInputs(c, 0, 1) : c.input(1)}; }

// updates.shape = indices.shape + ref.shape[1:], or a scalar for every row (rule R23).
Shapes ScatterUpdate(const ShapeContext& c) {
  const PartialShape& ref = WithRankAtLeast(c, 0, 1);
  const PartialShape& updates = c.input(2);
  const bool is_scalar = updates.has_rank() && updates.rank() == 0;
  if (ref.has_rank() && updates.has_rank() && !is_scalar) {
    MergeShapes(c, Join(c.input(1), Part(ref, 1)), updates);
  }
  return {ref};
}

// The variable's shape is not known before the run.
Shapes ResourceGather(const ShapeContext&) { return {PartialShape::Unknown()}; }

Shapes RandomOfShape(const ShapeContext& c) {
  for (int i = 1; i < c.num_inputs(); ++i) RequireScalar(c, i);
  return {ConstantShape(c, 0)};
}

Shapes TensorArrayGather(const ShapeContext& c) {
  return {Join(WithRank(c, 1, 1), c.attr<PartialShape>("element_shape"))};
}

}  // namespace plumb::shape_rules
