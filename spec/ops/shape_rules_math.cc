#include "spec/ops/shape_helpers.h"
#include "spec/ops/shape_rules.h"

namespace plumb::shape_rules {

Shapes Broadcasting(const ShapeContext& c) { return {Broadcast(c, c.input(0), c.input(1))}; }

Shapes Equality(const ShapeContext& c) {
  if (c.attr<bool>("incompatible_shape_error")) return Broadcasting(c);
  const PartialShape& a = c.input(0);
  const PartialShape& b = c.input(1);
  if (!a.IsFullyDefined() || !b.IsFullyDefined()) return {PartialShape::Unknown()};
  for (int back = 1; back <= std::min(a.rank(), b.rank()); ++back) {
    const int64_t in_a = a.dim(a.rank() - back);
    const int64_t in_b = b.dim(b.rank() - back);
    if (in_a != in_b && in_a != 1 && in_b != 1) return {PartialShape(Shape())};
  }
  return Broadcasting(c);
}

// The condition is a scalar, has the shape of the data, or is a vector that chooses among rows.
Shapes Select(const ShapeContext& c) {
  const PartialShape data = MergeInputs(c, 1, 2);
  const PartialShape& condition = c.input(0);
  if (!condition.has_rank() || !data.has_rank() || condition.rank() == 0) return {data};
  if (condition.rank() == 1 && data.rank() > 1) {
    return {WithDim(data, 0, MergeDims(c, data.dim(0), condition.dim(0)))};
  }
  return {MergeShapes(c, data, condition)};
}

Shapes Reduction(const ShapeContext& c) {
  WithRankAtMost(c, 1, 1);
  const PartialShape& input = c.input(0);
  const bool keep_dims = c.attr<bool>("keep_dims");
  const auto axes = ConstantInts(c, 1);
  if (!input.has_rank()) return {PartialShape::Unknown()};
  if (!axes) return {keep_dims ? PartialShape::OfRank(input.rank()) : PartialShape::Unknown()};
  std::vector<bool> reduced(input.rank(), false);
  for (const int64_t axis : *axes) reduced[CanonicalAxis(c, axis, input.rank())] = true;
  std::vector<int64_t> dims;
  for (int axis = 0; axis < input.rank(); ++axis) {
    if (!reduced[axis]) {
      dims.push_back(input.dim(axis));
    } else if (keep_dims) {
      dims.push_back(1);
    }
  }
  return {PartialShape(std::move(dims))};
}

Shapes ArgMinMax(const ShapeContext& c) {
  RequireScalar(c, 1);
  const PartialShape& input = c.input(0);
  if (!input.has_rank() || input.rank() == 0) return {input};
  const auto axis = ConstantInt(c, 1);
  if (!axis) return {PartialShape::OfRank(input.rank() - 1)};
  const int at = CanonicalAxis(c, *axis, input.rank());
  return {Join(Part(input, 0, at), Part(input, at + 1))};
}

Shapes TopK(const ShapeContext& c) {
  const PartialShape& input = WithRankAtLeast(c, 0, 1);
  const int64_t k = ConstantSize(c, 1);
  if (!input.has_rank()) return {input, input};
  const int last = input.rank() - 1;
  Require(k < 0 || input.dim(last) < 0 || k <= input.dim(last), "TopKV2: k is ", k,
          ", but the last dimension has only the size ", input.dim(last));
  return Shapes(2, WithDim(input, last, k));
}

Shapes UnsortedSegment(const ShapeContext& c) {
  const int64_t segments = ConstantSize(c, 2);
  const PartialShape& ids = c.input(1);
  if (!ids.has_rank()) return {PartialShape::Unknown()};
  const PartialShape& data = WithRankAtLeast(c, 0, ids.rank());
  if (!data.has_rank()) return {data};
  for (int axis = 0; axis < ids.rank(); ++axis) MergeDims(c, data.dim(axis), ids.dim(axis));
  return {Join(PartialShape{segments}, Part(data, ids.rank()))};
}

namespace {

// [rows, columns] of the last two dimensions, exchanged when the matrix is taken transposed.
std::pair<int64_t, int64_t> MatrixDims(const PartialShape& shape, bool transposed) {
  const int64_t rows = shape.dim(shape.rank() - 2);
  const int64_t columns = shape.dim(shape.rank() - 1);
  return transposed ? std::pair(columns, rows) : std::pair(rows, columns);
}

// Rows of the left matrix by columns of the right one, whose inner dimensions must agree.
PartialShape ProductDims(const ShapeContext& c, const PartialShape& a, bool transpose_a, const PartialShape& b,
                         bool transpose_b) {
  const auto [rows, left_inner] = MatrixDims(a, transpose_a);
  const auto [right_inner, columns] = MatrixDims(b, transpose_b);
  MergeDims(c, left_inner, right_inner);
  return PartialShape{rows, columns};
}

PartialShape BatchProductDims(const ShapeContext& c) {
  return ProductDims(c, c.input(0), c.attr<bool>("adj_x"), c.input(1), c.attr<bool>("adj_y"));
}

PartialShape BatchDims(const PartialShape& shape) { return Part(shape, 0, shape.rank() - 2); }

}  // namespace

Shapes MatMul(const ShapeContext& c) {
  return {
      ProductDims(c, WithRank(c, 0, 2), c.attr<bool>("transpose_a"), WithRank(c, 1, 2), c.attr<bool>("transpose_b"))};
}

Shapes BatchMatMul(const ShapeContext& c) {
  const PartialShape& x = WithRankAtLeast(c, 0, 2);
  const PartialShape& y = WithRankAtLeast(c, 1, 2);
  if (!x.has_rank() || !y.has_rank()) return {PartialShape::Unknown()};
  return {Join(MergeShapes(c, BatchDims(x), BatchDims(y)), BatchProductDims(c))};
}

Shapes BatchMatMulV2(const ShapeContext& c) {
  const PartialShape& x = WithRankAtLeast(c, 0, 2);
  const PartialShape& y = WithRankAtLeast(c, 1, 2);
  if (!x.has_rank() || !y.has_rank()) return {PartialShape::Unknown()};
  return {Join(Broadcast(c, BatchDims(x), BatchDims(y)), BatchProductDims(c))};
}

Shapes SoftmaxCrossEntropy(const ShapeContext& c) {
  const PartialShape both = Broadcast(c, c.input(0), c.input(1));
  Require(!both.has_rank() || both.rank() == 2, c.op().name, ": logits and labels must be matrices, not ",
          both.ToString());
  return both.has_rank() ? Shapes{Part(both, 0, 1), both} : Shapes{PartialShape::OfRank(1), PartialShape::OfRank(2)};
}

}  // namespace plumb::shape_rules
