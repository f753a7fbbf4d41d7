// Slices that are named by coordinates, updated.
#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/coordinates.h"
#include "reference/ops/lib/scatter_rows.h"

namespace plumb::reference {
namespace {

// The slices of a target that are updated: one for each row of coordinates.
struct Slices {
  int depth = 1;  // coordinates of each
  Shape rows, slice;
};

// Indices that are a vector name slices by one coordinate each.
Slices SlicesOf(const Shape& target, const Shape& indices, const Shape& updates) {
  Require(target.rank() >= 1 && indices.rank() >= 1 && updates.rank() >= 1,
          "target, indices and updates must have one dimension at least, not the shapes ", target.ToString(), ", ",
          indices.ToString(), " and ", updates.ToString());
  const bool none = indices.elements() == 0 && updates.elements() == 0;
  Require(none || (target.elements() > 0 && indices.elements() > 0 && updates.elements() > 0), "indices of shape ",
          indices.ToString(), " and updates of shape ", updates.ToString(), " do not go into the shape ",
          target.ToString());
  const int batch = indices.rank() > 1 ? indices.rank() - 1 : 1;
  const int64_t depth = indices.rank() > 1 ? indices.dim(batch) : 1;
  Require(depth <= target.rank(), "each index has ", depth, " coordinates, but the target has the shape ",
          target.ToString());
  Slices slices{static_cast<int>(depth), Subshape(indices, 0, batch),
                Subshape(target, static_cast<int>(depth), target.rank())};
  const Shape wanted = Concatenated(slices.rows, slices.slice);
  Require(updates == wanted, "the updates must have the shape ", wanted.ToString(), ", not ", updates.ToString());
  if (target.elements() > 0) {
    Require(depth >= 1, "an index must have one coordinate at least");
    CheckDepth(depth);
  }
  return slices;
}

// Calls f(element of the target, element of the updates) for all updates, in order.
template <class F>
void ForEachUpdate(const Shape& target, const Value& indices, const Shape& updates, F f) {
  const Slices slices = SlicesOf(target, indices.tensor.shape(), updates);
  if (updates.elements() == 0) return;
  const auto places = PlacesOf(indices, Subshape(target, 0, slices.depth), slices.rows.elements());
  const int64_t size = slices.slice.elements();
  for (int64_t i = 0; i < updates.elements(); ++i) f(places[i / size] * size + i % size, i);
}

// The sum of what stands in `start`, if anything does, and the updates.
template <class N>
Value Added(const Value* start, const Shape& target, const Value& indices, const Value& updates) {
  const Reader<N> more(updates);
  std::vector<SumOf<N>> sums(target.elements());
  if (start != nullptr) {
    const Reader<N> from(*start);
    for (int64_t i = 0; i < from.size(); ++i) sums[i].Add(from[i]);
  }
  ForEachUpdate(target, indices, updates.tensor.shape(), [&](int64_t to, int64_t i) { sums[to].Add(more[i]); });
  Writer<N> result(updates.tensor.dtype(), target);
  for (int64_t i = 0; i < result.size(); ++i) result.Set(i, sums[i].Result());
  return result.Take();
}

Value Joined(const Shape& target, const Value& indices, const Value& updates) {
  Tensor result = Zeros(DType::kString, target);
  const auto more = updates.tensor.data<std::string>();
  const auto text = result.mutable_data<std::string>();
  ForEachUpdate(target, indices, updates.tensor.shape(), [&](int64_t to, int64_t i) { text[to] += more[i]; });
  return result;
}

void ScatterNd(OpContext& c) {
  const Value &indices = c.input(0), &updates = c.input(1);
  const Shape target = ShapeOfVector(c.tensor(2), "shape");
  const Shape& rows = indices.tensor.shape();
  Require(rows.rank() != 1 || (rows.elements() == 0 && updates.tensor.shape() == target),
          "the indices must be a matrix of coordinates, not a vector");
  SlicesOf(target, rows, updates.tensor.shape());  // what does not fit is refused before a large target is
  CheckResultSize(target);
  if (updates.tensor.dtype() == DType::kString) return c.Output(0, Joined(target, indices, updates));
  ForNumber(updates.tensor.dtype(),
            [&](auto kind) { c.Output(0, Added<typename decltype(kind)::Type>(nullptr, target, indices, updates)); });
}

void ScatterNdNonAliasingAdd(OpContext& c) {
  ForNumber(c.tensor(0).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    c.Output(0, Added<N>(&c.input(0), c.tensor(0).shape(), c.input(1), c.input(2)));
  });
}

template <Scatter scatter>
void TensorScatter(OpContext& c) {
  const Shape &target = c.tensor(0).shape(), &updates = c.tensor(2).shape(), &indices = c.tensor(1).shape();
  Require(indices.rank() != 1 || (indices.elements() == 0 && updates == target),
          "the indices must be a matrix of coordinates, not a vector");
  const Slices slices = SlicesOf(target, indices, updates);
  RowsToChange rows{{}, slices.slice.elements()};
  if (updates.elements() > 0) {
    rows.rows = PlacesOf(c.input(1), Subshape(target, 0, slices.depth), slices.rows.elements());
  }
  c.Output(0, ScatteredRows(scatter, c.input(0), rows, c.input(2)));
}

constexpr KernelRow kRows[] = {
    {"ScatterNd", ScatterNd},
    {"ScatterNdNonAliasingAdd", ScatterNdNonAliasingAdd},
    {"TensorScatterUpdate", TensorScatter<Scatter::kReplace>},
    {"TensorScatterAdd", TensorScatter<Scatter::kAdd>},
    {"TensorScatterSub", TensorScatter<Scatter::kSubtract>},
    {"TensorScatterMax", TensorScatter<Scatter::kMax>},
    {"TensorScatterMin", TensorScatter<Scatter::kMin>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayScatterNd() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
