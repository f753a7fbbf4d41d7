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

namespace {

// The declared shape of the variable behind input `i`, whose element type must be the one that attribute `type` names.
PartialShape VariableShape(const ShapeContext& c, int i, std::string_view type) {
  RequireScalar(c, i);
  const auto variable = c.variable(i);
  if (!variable) return PartialShape::Unknown();
  const DType wanted = c.attr<DType>(type);
  Require(variable->dtype == wanted, InputName(c, i), " is a variable of type ", DTypeName(variable->dtype), ", not ",
          DTypeName(wanted));
  return variable->shape;
}

}  // namespace

Shapes ReadVariable(const ShapeContext& c) { return {VariableShape(c, 0, "dtype")}; }

Shapes AssignVariable(const ShapeContext& c) {
  MergeShapes(c, VariableShape(c, 0, "dtype"), c.input(1));
  return {};
}

// params[:batch_dims] + indices[batch_dims:] + params[batch_dims + 1:].
Shapes ResourceGather(const ShapeContext& c) {
  const PartialShape params = VariableShape(c, 0, "dtype");
  const int64_t batch_dims = c.attr<int64_t>("batch_dims");
  Require(batch_dims >= 0, "ResourceGather: batch_dims must not be negative: ", batch_dims);
  const PartialShape& indices = WithRankAtLeast(c, 1, batch_dims);
  Require(!params.has_rank() || params.rank() > batch_dims, "ResourceGather: batch_dims ", batch_dims,
          " is not below the rank of the variable's shape ", params.ToString());
  if (!params.has_rank() || !indices.has_rank()) return {PartialShape::Unknown()};
  const int batch = static_cast<int>(batch_dims);
  return {Join(Join(Part(params, 0, batch), Part(indices, batch)), Part(params, batch + 1))};
}

// var, alpha, delta.
Shapes ResourceApplyGradientDescent(const ShapeContext& c) {
  RequireScalar(c, 1);
  MergeShapes(c, VariableShape(c, 0, "T"), c.input(2));
  return {};
}

// var, accum, lr, grad, momentum.
Shapes ResourceApplyMomentum(const ShapeContext& c) {
  RequireScalar(c, 2);
  RequireScalar(c, 4);
  MergeShapes(c, MergeShapes(c, VariableShape(c, 0, "T"), VariableShape(c, 1, "T")), c.input(3));
  return {};
}

Shapes RandomOfShape(const ShapeContext& c) {
  for (int i = 1; i < c.num_inputs(); ++i) RequireScalar(c, i);
  return {ConstantShape(c, 0)};
}

Shapes TensorArrayGather(const ShapeContext& c) {
  return {Join(WithRank(c, 1, 1), c.attr<PartialShape>("element_shape"))};
}

}  // namespace plumb::shape_rules
