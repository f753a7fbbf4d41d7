// Gradients of gathers, partitions and selections by index.
#include "spec/ops/gradients.h"

namespace plumb {
namespace {

using Values = std::vector<GradientValue>;

Endpoint Zero(Gradient& g) { return g.Scalar(0, DType::kInt32); }
Endpoint One(Gradient& g) { return g.Scalar(1, DType::kInt32); }
Endpoint Flat(Gradient& g, Endpoint value) { return g.Call("Reshape", {value, g.Int32s({-1})}); }

// shape[begin:end] of a shape vector; end 0 means to the end.
Endpoint Part(Gradient& g, Endpoint shape, int begin, int end) {
  return g.Call("StridedSlice", {shape, g.Int32s({begin}), g.Int32s({end}), g.Int32s({1})},
                {{"end_mask", end == 0 ? 1 : 0}});
}

Endpoint Concat(Gradient& g, std::vector<Endpoint> parts) {
  const int count = static_cast<int>(parts.size());
  parts.push_back(Zero(g));
  return g.Call("ConcatV2", parts, {{"N", count}});
}

// Rows of axis 0 as slices, which an optimizer can apply without touching the others.
GradientValue RowSlices(Gradient& g, Endpoint indices, Endpoint params_shape) {
  const Endpoint rows = g.Call("ExpandDims", {g.Call("Size", {indices}), Zero(g)});
  const Endpoint values = g.Call("Reshape", {g.dy(), Concat(g, {rows, Part(g, params_shape, 1, 0)})});
  return GradientValue::Sparse(values, Flat(g, indices), params_shape);
}

// The permutation that moves `axis` to position `to` of `rank`, and back again.
std::vector<int32_t> MoveAxis(int rank, int axis, int to) {
  std::vector<int32_t> perm;
  for (int i = 0; i < rank; ++i) {
    if (i != axis) perm.push_back(i);
  }
  perm.insert(perm.begin() + to, axis);
  return perm;
}

// Any axis, any number of batch dimensions: the gathered axes are moved behind the batch dimensions, every batch entry
// gets row numbers of its own, and equal rows are summed.
Endpoint ScatterAlongAxis(Gradient& g, int axis, int batch_dims) {
  const int params_rank = g.shape(g.x(0)).rank(), indices_rank = g.shape(g.x(1)).rank();
  const int gathered = indices_rank - batch_dims;  // axes of dy that came from the indices
  // dy: batch…, outer…, gathered…, inner… → batch…, gathered…, outer…, inner…
  std::vector<int32_t> perm;
  perm.reserve(batch_dims);
  for (int i = 0; i < batch_dims; ++i) perm.push_back(i);
  for (int i = 0; i < gathered; ++i) perm.push_back(axis + i);
  for (int i = batch_dims; i < axis; ++i) perm.push_back(i);
  for (int i = axis + gathered; i < params_rank - 1 + gathered; ++i) perm.push_back(i);
  const Endpoint rows = g.Call("Transpose", {g.dy(), g.Int32s(perm)});

  Endpoint indices = g.x(1);
  if (g.dtype(indices) != DType::kInt32) indices = g.Call("Cast", {indices}, {{"DstT", DType::kInt32}});
  const Endpoint params_shape = g.ShapeOf(g.x(0)), indices_shape = g.ShapeOf(indices);
  const Endpoint size = g.Call("GatherV2", {params_shape, g.Scalar(axis, DType::kInt32), Zero(g)});
  const Endpoint batch = g.Call("Prod", {Part(g, indices_shape, 0, batch_dims), Zero(g)});
  const Endpoint total = batch_dims == 0 ? size : g.Call("Mul", {batch, size});
  if (batch_dims > 0) {
    const Endpoint first = g.Call("Range", {Zero(g), total, size});
    const Endpoint matrix = g.Call("Reshape", {indices, g.Call("Pack", {batch, g.Scalar(-1, DType::kInt32)})});
    indices = g.Call("Add", {matrix, g.Call("ExpandDims", {first, g.Scalar(1, DType::kInt32)})});
  }
  const Endpoint tail = Part(g, g.ShapeOf(rows), indices_rank, 0);
  const Endpoint flat_rows =
      g.Call("Reshape", {rows, Concat(g, {g.Call("ExpandDims", {g.Call("Size", {indices}), Zero(g)}), tail})});
  const Endpoint summed = g.Call("UnsortedSegmentSum", {flat_rows, Flat(g, indices), total});
  // batch…, axis, outer…, inner… → params' order.
  const std::vector<int32_t> moved = MoveAxis(params_rank, axis, batch_dims);
  const Endpoint moved_shape = g.Call("GatherV2", {params_shape, g.Int32s(moved), Zero(g)});
  const Endpoint back = g.Call("InvertPermutation", {g.Int32s(moved)});
  return g.Call("Transpose", {g.Call("Reshape", {summed, moved_shape}), back});
}

}  // namespace

Values GatherV2Gradient(Gradient& g) {
  const Tensor* axis = g.builder().constant(g.x(2));
  Require(axis != nullptr, "the gradient of GatherV2 '", g.op().name, "' needs a constant axis");
  const int rank = g.shape(g.x(0)).rank();
  int64_t along = ToInt64s(*axis).at(0);
  if (along < 0 && rank >= 0) along += rank;
  int64_t batch_dims = GetAttrOr<int64_t>(g.op().attrs, "batch_dims", 0);
  const int indices_rank = g.shape(g.x(1)).rank();
  if (batch_dims < 0 && indices_rank >= 0) batch_dims += indices_rank;
  if (along == 0 && batch_dims == 0) {
    return {RowSlices(g, g.x(1), g.ShapeOf(g.x(0))), GradientValue::None(), GradientValue::None()};
  }
  Require(rank >= 0 && indices_rank >= 0, "the gradient of GatherV2 '", g.op().name,
          "' along an axis other than 0 needs known ranks");
  return {ScatterAlongAxis(g, static_cast<int>(along), static_cast<int>(batch_dims)), GradientValue::None(),
          GradientValue::None()};
}

Values ResourceGatherGradient(Gradient& g) {
  return {RowSlices(g, g.x(1), g.Call("VariableShape", {g.x(0)})), GradientValue::None()};
}

Values ReadVariableOpGradient(Gradient& g) { return {g.raw_dy()}; }

// The positions are partitioned as the data were; stitching the gradients at those positions restores the order.
Values DynamicPartitionGradient(Gradient& g) {
  const Endpoint prefix = g.ShapeOf(g.x(1));
  const Endpoint count = g.Call("Prod", {prefix, Zero(g)});
  const Endpoint positions = g.Call("Reshape", {g.Call("Range", {Zero(g), count, One(g)}), prefix});
  const int parts = g.num_outputs();
  const NodeId where = g.Add("DynamicPartition", {positions, g.x(1)}, {{"num_partitions", parts}});
  std::vector<Endpoint> inputs;
  inputs.reserve(parts);
  for (int i = 0; i < parts; ++i) inputs.push_back({where, i});
  for (int i = 0; i < parts; ++i) inputs.push_back(g.dy(i));
  const Endpoint stitched = g.Call("DynamicStitch", inputs, {{"N", parts}});
  return {g.Call("Reshape", {stitched, g.ShapeOf(g.x(0))}), GradientValue::None()};
}

Values DynamicStitchGradient(Gradient& g) {
  const int count = g.num_inputs() / 2;
  Values values(2 * count);
  for (int i = 0; i < count; ++i) values[count + i] = g.Call("GatherV2", {g.dy(), g.x(i), Zero(g)});
  return values;
}

// Each kept value's gradient goes back to the place it was taken from.
Values TopKV2Gradient(Gradient& g) {
  const Endpoint input_shape = g.ShapeOf(g.x(0)), kept_shape = g.ShapeOf(g.y(1));
  const Endpoint columns = g.Call("Reshape", {Part(g, input_shape, -1, 0), g.Int32s({})});
  const Endpoint size = g.Call("Size", {g.x(0)});
  const Endpoint first = g.Call("Range", {Zero(g), size, g.Call("Maximum", {columns, One(g)})});
  const Endpoint matrix_shape = Concat(g, {g.Int32s({-1}), Part(g, kept_shape, -1, 0)});
  const Endpoint indices = g.Call(
      "Add", {g.Call("Reshape", {g.y(1), matrix_shape}), g.Call("ExpandDims", {first, g.Scalar(1, DType::kInt32)})});
  const Endpoint flat = g.Call("UnsortedSegmentSum", {Flat(g, g.dy(0)), Flat(g, indices), size});
  return {g.Call("Reshape", {flat, input_shape}), GradientValue::None()};
}

}  // namespace plumb
