#include "client/zeros.h"

#include <algorithm>

#include "client/output.h"

namespace plumb {
namespace {

// Larger zeros are filled at run time instead of being written into the graph.
constexpr int64_t kMaxConstant = 1000;

void Unify(GraphBuilder& builder, std::vector<GradientValue>& slices, Endpoint GradientValue::*part) {
  const auto is_wide = [&](const GradientValue& value) { return builder.dtype(value.*part) == DType::kInt64; };
  if (std::none_of(slices.begin(), slices.end(), is_wide)) return;
  for (GradientValue& value : slices) {
    if (!is_wide(value)) value.*part = builder.Call("Cast", {value.*part}, {{"DstT", DType::kInt64}});
  }
}

}  // namespace

bool IsTrainable(DType dtype) {
  const DType base = Base(dtype);
  return IsFloating(base) || IsComplex(base) || base == DType::kResource || base == DType::kVariant;
}

Endpoint ZerosOf(GraphBuilder& builder, const Shape& shape, DType dtype) {
  if (shape.elements() < kMaxConstant) return builder.Constant(Zeros(dtype, shape), "zeros");
  const std::vector<int64_t> dims = shape.ToVector();
  return ZerosOf(builder, builder.Constant(MakeTensor<int64_t>({shape.rank()}, std::span(dims))), dtype);
}

Endpoint ZerosOf(GraphBuilder& builder, Endpoint shape, DType dtype) {
  const Endpoint zero = builder.Constant(Zeros(dtype, Shape()), "zero");
  GraphBuilder::Options options;
  options.name = "zeros";
  return {builder.Add("Fill", {shape, zero}, {}, std::move(options)), 0};
}

GradientValue AsSlices(GraphBuilder& builder, const GradientValue& value) {
  if (value.kind != GradientValue::Kind::kDense) return value;
  const auto number = [&](int32_t n) { return builder.Constant(MakeScalar<int32_t>(n)); };
  const Endpoint first = builder.Constant(MakeVector<int32_t>({0}));
  const Endpoint second = builder.Constant(MakeVector<int32_t>({1}));
  const Endpoint shape = builder.Call("Shape", {value.values});
  const Endpoint rows = builder.Call("StridedSlice", {shape, first, second, second}, {{"shrink_axis_mask", 1}});
  return GradientValue::Sparse(value.values, builder.Call("Range", {number(0), rows, number(1)}), shape);
}

void UnifyIndexTypes(GraphBuilder& builder, std::vector<GradientValue>& slices) {
  Unify(builder, slices, &GradientValue::indices);
  Unify(builder, slices, &GradientValue::dense_shape);
}

}  // namespace plumb
