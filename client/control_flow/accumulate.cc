// Gradients of loop invariants: sums over the iterations of the backward loop (rule D31).
#include "client/control_flow/grad_loop.h"
#include "client/zeros.h"

namespace plumb {

GradientValue GradLoop::Accumulate(Endpoint invariant, const GradientValue& gradient) {
  if (gradient.kind == GradientValue::Kind::kSparse) return AccumulateSlices(invariant, gradient);
  return AccumulateDense(invariant, gradient.values);
}

// Of a handle, that of its variable, of which the gradient is.
Endpoint GradLoop::ShapeBehind(Endpoint invariant, const AttrMap& type) {
  const bool is_handle = Base(builder_.dtype(invariant)) == DType::kResource;
  return builder_.Call(is_handle ? "VariableShape" : "Shape", {invariant}, type);
}

// The shape of the invariant, in the context around the backward loop.
Endpoint GradLoop::InvariantShape(Endpoint invariant, DType index_type) {
  const AttrMap type = {{"out_type", index_type}};
  if (outer_ == nullptr) {
    InContext outside(builder_, backward_->outer());
    return ShapeBehind(invariant, type);
  }
  Endpoint shape;
  {
    InContext around(builder_, forward_->outer());
    shape = ShapeBehind(invariant, type);
  }
  return outer_->Pop(outer_->Push(shape), shape);
}

Endpoint GradLoop::ZeroSum(Endpoint invariant, Endpoint gradient) {
  const PartialShape shape = builder_.shape(gradient);
  const DType dtype = builder_.dtype(gradient);
  const Endpoint run_shape = shape.IsFullyDefined() ? Endpoint{} : InvariantShape(invariant, DType::kInt32);
  InContext outside(builder_, backward_->outer());
  return shape.IsFullyDefined() ? ZerosOf(builder_, shape.ToShape(), dtype) : ZerosOf(builder_, run_shape, dtype);
}

Endpoint GradLoop::AccumulateDense(Endpoint invariant, Endpoint gradient) {
  const Endpoint zero = ZeroSum(invariant, gradient);
  const auto sum = backward_->EnterVariable(builder_, zero, "b_acc");
  const NodeId branch = backward_->Branch(builder_, sum.merge);
  InContext inside(builder_, backward_);
  backward_->CloseLoop(builder_, sum.merge, builder_.Call("AddV2", {{branch, 1}, gradient}));
  return backward_->Leave(builder_, {branch, 0}, "b_acc");
}

// One row of zeros for row 0: concatenation needs something to start from.
Endpoint GradLoop::ZeroRow(Endpoint invariant, Endpoint values) {
  const PartialShape shape = builder_.shape(values);
  const DType dtype = builder_.dtype(values);
  if (shape.has_rank()) {
    std::vector<int64_t> dims = shape.dims();
    dims[0] = 1;
    if (const PartialShape row(dims); row.IsFullyDefined()) {
      InContext outside(builder_, backward_->outer());
      return ZerosOf(builder_, row.ToShape(), dtype);
    }
  }
  const Endpoint whole = InvariantShape(invariant, DType::kInt32);
  InContext outside(builder_, backward_->outer());
  const Endpoint one = builder_.Constant(MakeVector<int32_t>({1}));
  const Endpoint end = builder_.Constant(MakeVector<int32_t>({0}));
  const Endpoint tail = builder_.Call("StridedSlice", {whole, one, end, one}, {{"end_mask", 1}});
  const Endpoint axis = builder_.Constant(MakeScalar<int32_t>(0));
  return ZerosOf(builder_, builder_.Call("ConcatV2", {one, tail, axis}), dtype);
}

GradientValue GradLoop::AccumulateSlices(Endpoint invariant, const GradientValue& gradient) {
  const Endpoint zero_row = ZeroRow(invariant, gradient.values);
  const Endpoint dense_shape = InvariantShape(invariant, builder_.dtype(gradient.dense_shape));
  Endpoint zero_index;
  {
    InContext outside(builder_, backward_->outer());
    zero_index = builder_.Constant(Zeros(builder_.dtype(gradient.indices), {1}));
  }
  const auto grow = [&](Endpoint initial, Endpoint more) {
    PartialShape growing = builder_.shape(initial);
    if (growing.has_rank()) {
      std::vector<int64_t> dims = growing.dims();
      dims[0] = -1;
      growing = PartialShape(dims);
    }
    const auto list = backward_->EnterVariable(builder_, initial, "b_acc", &growing);
    const NodeId branch = backward_->Branch(builder_, list.merge);
    InContext inside(builder_, backward_);
    const Endpoint axis = builder_.Constant(MakeScalar<int32_t>(0));
    backward_->CloseLoop(builder_, list.merge, builder_.Call("ConcatV2", {{branch, 1}, more, axis}));
    return backward_->Leave(builder_, {branch, 0}, "b_acc");
  };
  const Endpoint indices = grow(zero_index, gradient.indices);
  return GradientValue::Sparse(grow(zero_row, gradient.values), indices, dense_shape);
}

}  // namespace plumb
