#include <algorithm>
#include <numeric>

#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

// Vectors of coordinates and values; the shape is as long as it likes, of which only the number of rows matters.
void CheckInputs(const OpContext& c, const Coordinates& at) {
  Require(c.tensor(1).shape() == Shape{at.count}, "values must be a vector of ", at.count, " elements, not of shape ",
          c.tensor(1).shape().ToString());
  Require(c.tensor(2).rank() == 1 && c.tensor(2).dim(0) > 0, "dense_shape must be a vector of one size at least, not ",
          "of shape ", c.tensor(2).shape().ToString());
  Require(c.tensor(3).rank() == 0, "default_value must be a scalar, not of shape ", c.tensor(3).shape().ToString());
}

void SparseFillEmptyRows(OpContext& c) {
  const Coordinates at = CoordinatesOf(c.tensor(0));
  CheckInputs(c, at);
  const int64_t rows = ToInt64s(c.tensor(2)).front();
  auto empty = MakeArray<Integer>(DType::kBool, Shape{rows}, 1);
  Require(at.rank > 0 || (rows == 0 && at.count == 0), "elements must have one coordinate at least");
  for (int64_t i = 0; i < at.count; ++i) {
    Require(at(i, 0) >= 0 && at(i, 0) < rows, "row ", at(i, 0), " of element ", i, " is not in [0, ", rows, ")");
    empty[at(i, 0)] = 0;
  }
  std::vector<int64_t> order(static_cast<size_t>(at.count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) { return at(i, 0) < at(j, 0); });
  Coordinates filled{0, at.rank, {}};
  std::vector<int64_t> went(order.size());
  std::vector<std::pair<int, int64_t>> origins;  // input and element
  auto next = order.begin();
  for (int64_t row = 0; row < rows; ++row) {
    if (empty[row] == 1) {
      std::vector<int64_t> start(static_cast<size_t>(at.rank), 0);
      start[0] = row;
      filled.Append(start);
      origins.emplace_back(3, 0);
    }
    for (; next != order.end() && at(*next, 0) == row; ++next) {
      went[static_cast<size_t>(*next)] = filled.count;
      filled.Append(at.row(*next));
      origins.emplace_back(1, *next);
    }
  }
  Assembly values(c.output_type(1), {filled.count});
  for (int64_t i = 0; i < filled.count; ++i) {
    const auto& origin = origins[static_cast<size_t>(i)];
    values.Copy(i, c.input(origin.first), origin.second);
  }
  const bool stays = filled.count == at.count && std::is_sorted(order.begin(), order.end());  // R31
  c.Output(0, stays ? c.input(0) : Value(TensorOf(filled)));
  c.Output(1, stays ? c.input(1) : values.Take());
  c.Output(2, Store(empty));
  c.Output(3, VectorOf(went));
}

void SparseFillEmptyRowsGrad(OpContext& c) {
  const Tensor &map = c.tensor(0), &grad = c.tensor(1);
  Require(map.rank() == 1 && grad.rank() == 1, "reverse_index_map and grad_values must be vectors, not of shapes ",
          map.shape().ToString(), " and ", grad.shape().ToString());
  const std::vector<int64_t> places = ToInt64s(map);
  std::vector<bool> is_value(static_cast<size_t>(grad.dim(0)), false);
  for (const int64_t place : places) {
    Require(place >= 0 && place < grad.dim(0), "the place ", place, " is not in [0, ", grad.dim(0), ")");
    is_value[static_cast<size_t>(place)] = true;
  }
  c.Output(0, Gathered(c.input(1), map.shape(), places));
  ForNumber(grad.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const Reader<N> dy(c.input(1));
    SumOf<N> sum;
    for (int64_t i = 0; i < dy.size(); ++i) {
      if (!is_value[static_cast<size_t>(i)]) sum.Add(dy[i]);
    }
    Writer<N> result(grad.dtype(), {});
    result.Set(0, sum.Result());
    c.Output(1, result.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"SparseFillEmptyRows", SparseFillEmptyRows},
    {"SparseFillEmptyRowsGrad", SparseFillEmptyRowsGrad},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseFillEmptyRows() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
