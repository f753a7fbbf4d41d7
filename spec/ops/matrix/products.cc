#include "spec/ops/matrix/products.h"

#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

// [rows, columns] of the last two dimensions, exchanged when the matrix is taken transposed.
static std::pair<int64_t, int64_t> MatrixDims(const PartialShape& shape, bool transposed) {
  const int64_t rows = shape.dim(shape.rank() - 2);
  const int64_t columns = shape.dim(shape.rank() - 1);
  return transposed ? std::pair(columns, rows) : std::pair(rows, columns);
}

PartialShape ProductDims(const ShapeContext& c, const PartialShape& a, bool transpose_a, const PartialShape& b,
                         bool transpose_b) {
  const auto [rows, left_inner] = MatrixDims(a, transpose_a);
  const auto [right_inner, columns] = MatrixDims(b, transpose_b);
  MergeDims(c, left_inner, right_inner);
  return PartialShape{rows, columns};
}

std::pair<Endpoint, Endpoint> BothSides(Gradient& g, const Product& product, Endpoint a, Endpoint b) {
  const bool ta = g.attr<bool>(product.flag_a), tb = g.attr<bool>(product.flag_b);
  const auto multiply = [&](Endpoint left, Endpoint right, bool flag_left, bool flag_right) {
    return g.Call(product.op, {left, right}, {{product.flag_a, flag_left}, {product.flag_b, flag_right}});
  };
  const Endpoint dy = g.dy();
  if (!ta && !tb) return {multiply(dy, b, false, true), multiply(a, dy, true, false)};
  if (!ta && tb) return {multiply(dy, b, false, false), multiply(dy, a, true, false)};
  if (ta && !tb) return {multiply(b, dy, false, true), multiply(a, dy, false, false)};
  return {multiply(b, dy, true, true), multiply(dy, a, true, true)};
}

}  // namespace plumb::topics
