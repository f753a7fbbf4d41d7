#include <algorithm>
#include <numeric>

#include "reference/ops/lib/sparse_tensor.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

// Part i of N, whose three tensors stand N inputs apart.
SparseTensor Part(const OpContext& c, int i, int n) {
  const Tensor &values = c.tensor(n + i), &shape = c.tensor(2 * n + i);
  SparseTensor part{CoordinatesOf(c.tensor(i)), c.input(n + i), {}};
  Require(values.shape() == Shape{part.at.count} && shape.shape() == Shape{part.at.rank}, "values and shape of part ",
          i, " do not fit its indices of shape ", c.tensor(i).shape().ToString());
  part.shape = ToInt64s(shape);
  return part;
}

// TensorFlow counts the elements from the first size on, and calls it its own mistake where it cannot.
void CheckCountable(const SparseTensor& part, int i) {
  int64_t elements = 1;
  for (const int64_t size : part.shape) {
    if (size >= 0 && !__builtin_mul_overflow(elements, size, &elements)) continue;
    throw Internal("the elements of part ", i, " cannot be counted: its shape is ",
                   PartialShape(part.shape).ToString());
  }
}

void CheckAxis(const Node& node) { Int32Attr(node, "concat_dim"); }

void SparseConcat(OpContext& c) {
  const auto n = static_cast<int>(c.attr<int64_t>("N"));
  for (int i = 0; i < n; ++i) CheckCountable(Part(c, i, n), i);
  std::vector<int64_t> shape = Part(c, 0, n).shape;
  const int axis = ResolveAxis(c.attr<int64_t>("concat_dim"), Shape(shape).rank(), "concat_dim");
  int64_t& joined = shape[static_cast<size_t>(axis)];
  joined = 0;
  Coordinates at{0, static_cast<int>(shape.size()), {}};
  std::vector<std::pair<int, int64_t>> origins;  // input and element
  for (int i = 0; i < n; ++i) {
    const SparseTensor part = Part(c, i, n);
    const Shape dense = part.dense_shape();
    Require(dense.rank() == at.rank && WithDim(dense, axis, 0) == WithDim(Shape(shape), axis, 0), "part ", i,
            " of shape ", dense.ToString(), " does not fit the parts before it along axis ", axis);
    for (int64_t j = 0; j < part.at.count; ++j) {
      const auto row = part.at.row(j);
      std::vector<int64_t> moved(row.begin(), row.end());
      moved[static_cast<size_t>(axis)] += joined;
      at.Append(moved);
      origins.emplace_back(n + i, j);
    }
    Require(!__builtin_add_overflow(joined, dense.dim(axis), &joined), "the joined size is too large");
  }
  const Shape checked{std::span<const int64_t>(shape)};
  std::vector<int64_t> order(origins.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
    const auto a = at.row(i), b = at.row(j);
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  });
  Coordinates ordered{0, checked.rank(), {}};
  Assembly values(c.output_type(1), {at.count});
  for (const int64_t i : order) {
    const auto& origin = origins[static_cast<size_t>(i)];
    values.Copy(ordered.count, c.input(origin.first), origin.second);
    ordered.Append(at.row(i));
  }
  SparseOutput(c, 0, ordered, values.Take(), shape);
}

constexpr KernelRow kRows[] = {
    {"SparseConcat", SparseConcat, CheckAxis},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseConcat() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
