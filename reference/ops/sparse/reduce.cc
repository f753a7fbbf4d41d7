#include <map>

#include "reference/numbers/element.h"
#include "reference/ops/lib/later.h"
#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

// The elements of a sparse tensor by their coordinates along the axes that are not reduced, and the shape that these
// lie in.
struct Groups {
  std::vector<int64_t> shape;
  std::map<std::vector<int64_t>, std::vector<int64_t>> elements;

  explicit Groups(const OpContext& c) {
    const SparseTensor tensor = SparseInput(c, 0);
    const Shape dense = tensor.dense_shape();
    const bool keep = c.attr<bool>("keep_dims");
    std::vector<bool> reduced(static_cast<size_t>(dense.rank()), false);
    for (const int64_t axis : IntegersOf(c.tensor(3), "reduction_axes")) {
      reduced[static_cast<size_t>(ResolveAxis(axis, dense.rank(), "reduction_axes"))] = true;
    }
    const auto kept = [&](std::span<const int64_t> row, int64_t instead) {
      std::vector<int64_t> result;
      for (size_t axis = 0; axis < reduced.size(); ++axis) {
        if (!reduced[axis] || keep) result.push_back(reduced[axis] ? instead : row[axis]);
      }
      return result;
    };
    shape = kept(tensor.shape, 1);
    for (int64_t i = 0; i < tensor.at.count; ++i) elements[kept(tensor.at.row(i), 0)].push_back(i);
  }
};

template <class N, class F>
void FoldDense(OpContext& c, F fold) {
  const Groups groups(c);
  const Reader<N> x(c.input(1));
  auto result = MakeArray<N>(c.tensor(1).dtype(), Shape(groups.shape));
  for (const auto& [at, elements] : groups.elements) {
    const int64_t place = PlaceOf(groups.shape, at);
    if (place < 0 || place >= result.shape.elements()) {
      throw Internal("elements at place ", place, " are outside of the result of shape ", result.shape.ToString());
    }
    result[place] = fold(x, elements);
  }
  c.Output(0, Store(result));
}

template <class N, class F>
void FoldSparse(OpContext& c, F fold) {
  const Groups groups(c);
  const Reader<N> x(c.input(1));
  Coordinates rows{0, static_cast<int>(groups.shape.size()), {}};
  Writer<N> values(c.tensor(1).dtype(), {std::ssize(groups.elements)});
  for (const auto& [at, elements] : groups.elements) {
    values.Set(rows.count, fold(x, elements));
    rows.Append(at);
  }
  SparseOutput(c, 0, rows, values.Take(), groups.shape);
}

template <class N>
N LargestOf(const Reader<N>& x, const std::vector<int64_t>& elements) {
  N largest = x[elements[0]];
  for (const int64_t i : elements) largest = Later<true>(largest, x[i]);
  return largest;
}

template <class N>
N TotalOf(const Reader<N>& x, const std::vector<int64_t>& elements) {
  SumOf<N> sum;
  for (const int64_t i : elements) sum.Add(x[i]);
  return sum.Result();
}

template <bool is_sparse>
void SparseReduceSum(OpContext& c) {
  ForNumber(c.tensor(1).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    is_sparse ? FoldSparse<N>(c, TotalOf<N>) : FoldDense<N>(c, TotalOf<N>);
  });
}

template <bool is_sparse>
void SparseReduceMax(OpContext& c) {
  ForKind<Real, Integer>(c.tensor(1).dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    is_sparse ? FoldSparse<N>(c, LargestOf<N>) : FoldDense<N>(c, LargestOf<N>);
  });
}

constexpr KernelRow kRows[] = {
    {"SparseReduceSum", SparseReduceSum<false>},
    {"SparseReduceSumSparse", SparseReduceSum<true>},
    {"SparseReduceMax", SparseReduceMax<false>},
    {"SparseReduceMaxSparse", SparseReduceMax<true>},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseReduce() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
