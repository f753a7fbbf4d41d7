#include <algorithm>
#include <compare>

#include "reference/numbers/element.h"
#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

// For each element of the sparse tensor, the place in the dense one that is at its coordinates when it is broadcast.
std::vector<int64_t> PlacesInDense(const SparseTensor& tensor, const Shape& dense) {
  const int rank = tensor.dense_shape().rank(), added = rank - dense.rank();
  Require(rank >= 1 && rank <= 5, "the sparse tensor must have 1 to 5 dimensions, not ", rank);
  Require(added >= 0, "a dense tensor of shape ", dense.ToString(), " cannot be broadcast to ", rank, " dimensions");
  std::vector<int64_t> broadcast = tensor.shape;
  for (int axis = 0; axis < dense.rank(); ++axis) {
    int64_t& size = broadcast[static_cast<size_t>(added + axis)];
    const int64_t own = dense.dim(axis);
    Require(own == size || own <= 1, "a dense tensor of shape ", dense.ToString(), " cannot be broadcast to ",
            tensor.dense_shape().ToString());
    Require(own > 0 || size <= 1, "no elements cannot be broadcast to ", tensor.dense_shape().ToString());
    size = own == 1 ? size : own;
  }
  std::vector<int64_t> places;
  for (int64_t i = 0; i < tensor.at.count; ++i) {
    if (!Contains(broadcast, tensor.at.row(i))) {
      throw InvalidArgument("the coordinates number ", i, " are outside of the shape ", Shape(broadcast).ToString());
    }
    int64_t place = 0;
    for (int axis = 0; axis < dense.rank(); ++axis) {
      place = place * dense.dim(axis) + (dense.dim(axis) == 1 ? 0 : tensor.at(i, added + axis));
    }
    places.push_back(place);
  }
  return places;
}

template <class F>
void WithDense(OpContext& c, F f) {
  const SparseTensor tensor = SparseInput(c, 0);
  const auto places = PlacesInDense(tensor, c.tensor(3).shape());
  ForKind<Real, Integer>(c.tensor(1).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> x(c.input(1)), y(c.input(3));
    Writer<N> result(c.tensor(1).dtype(), c.tensor(1).shape());
    for (int64_t i = 0; i < x.size(); ++i) result.Set(i, f(x[i], y[places[static_cast<size_t>(i)]]));
    c.Output(0, result.Take());
  });
}

template <class N>
N Quotient(N x, N y) {
  Require(y != N(0), "an element is divided by zero");
  return x / y;
}

// Elements in row-major order of either tensor; what one does not have is zero.
template <class F>
void WithSparse(OpContext& c, F f) {
  const SparseTensor a = SparseInput(c, 0), b = SparseInput(c, 3);
  Require(a.shape == b.shape && !a.shape.empty(), "the operands must have one shape, not ",
          VectorOf(a.shape).ToString(), " and ", VectorOf(b.shape).ToString());
  a.CheckBounds();
  b.CheckBounds();
  ForKind<Real, Integer>(c.output_type(1), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> x(a.values), y(b.values);
    Coordinates at{0, a.at.rank, {}};
    std::vector<N> values;
    int64_t i = 0, j = 0;
    while (i < a.at.count || j < b.at.count) {
      const bool has_a = i < a.at.count, has_b = j < b.at.count;
      const auto left = has_a ? a.at.row(i) : b.at.row(j), right = has_b ? b.at.row(j) : left;
      const auto order =
          !has_b   ? std::strong_ordering::less
          : !has_a ? std::strong_ordering::greater
                   : std::lexicographical_compare_three_way(left.begin(), left.end(), right.begin(), right.end());
      at.Append(order <= 0 ? left : right);
      values.push_back(f(order <= 0 ? x[i] : N(), order >= 0 ? y[j] : N()));
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
    c.Output(0, TensorOf(at));
    c.Output(1, Store(Array<N>{c.output_type(1), {at.count}, std::move(values)}));
  });
}

constexpr KernelRow kRows[] = {
    {"SparseDenseCwiseAdd", [](OpContext& c) { WithDense(c, [](auto x, auto y) { return x + y; }); }},
    {"SparseDenseCwiseMul", [](OpContext& c) { WithDense(c, [](auto x, auto y) { return x * y; }); }},
    {"SparseDenseCwiseDiv", [](OpContext& c) { WithDense(c, [](auto x, auto y) { return Quotient(x, y); }); }},
    {"SparseSparseMaximum", [](OpContext& c) { WithSparse(c, [](auto x, auto y) { return Max(x, y); }); }},
    {"SparseSparseMinimum", [](OpContext& c) { WithSparse(c, [](auto x, auto y) { return Min(x, y); }); }},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseCwise() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
