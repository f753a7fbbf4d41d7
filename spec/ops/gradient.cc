#include "spec/ops/gradient.h"

#include "spec/core/scalar.h"

namespace plumb {

Endpoint Gradient::dy(int output) {
  if (dys_[output].IsNone()) dys_[output] = GradientValue(ZerosLike(y(output)));
  if (dys_[output].kind == GradientValue::Kind::kSparse) dys_[output] = GradientValue(Densify(builder_, dys_[output]));
  return dys_[output].values;
}

Endpoint Gradient::Scalar(double value, DType dtype) { return builder_.Constant(ScalarTensor(value, dtype)); }

Endpoint Gradient::Int32s(const std::vector<int32_t>& values) {
  return builder_.Constant(MakeTensor<int32_t>({static_cast<int64_t>(values.size())}, std::span(values)));
}

Endpoint Gradient::ZerosLike(Endpoint value) { return Call("ZerosLike", {value}); }

Endpoint Gradient::ShapeOf(Endpoint value) { return Call("Shape", {value}); }

Endpoint Gradient::SumToShapeOf(Endpoint gradient, Endpoint x, Endpoint other) {
  const PartialShape& own = shape(x);
  if (own.IsFullyDefined() && own == shape(other)) return gradient;
  const Endpoint own_shape = ShapeOf(x);
  const NodeId axes = Add("BroadcastGradientArgs", {own_shape, ShapeOf(other)});
  return Call("Reshape", {Call("Sum", {gradient, {axes, 0}}), own_shape});
}

Endpoint Gradient::Conjugate(Endpoint value) { return IsComplex(dtype(value)) ? Call("Conj", {value}) : value; }

Endpoint Densify(GraphBuilder& builder, const GradientValue& value) {
  if (value.kind != GradientValue::Kind::kSparse) return value.values;
  const Endpoint zero = builder.Constant(MakeScalar<int32_t>(0));
  const Endpoint one = builder.Constant(MakeScalar<int32_t>(1));
  const Endpoint shape = builder.dtype(value.dense_shape) == DType::kInt32
                             ? value.dense_shape
                             : builder.Call("Cast", {value.dense_shape}, {{"DstT", DType::kInt32}});
  const Endpoint begin = builder.Call("Pack", {zero});
  const Endpoint end = builder.Call("Pack", {one});
  const Endpoint rows = builder.Call("StridedSlice", {shape, begin, end, end}, {{"shrink_axis_mask", 1}});
  return builder.Call("UnsortedSegmentSum", {value.values, value.indices, rows});
}

}  // namespace plumb
