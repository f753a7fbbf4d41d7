#include <algorithm>
#include <numeric>

#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

// Whether the elements lie within the shape, each behind the one before it.
bool IsInOrder(const SparseTensor& tensor) {
  for (int64_t i = 0; i < tensor.at.count; ++i) {
    const auto row = tensor.at.row(i);
    if (!Contains(tensor.shape, row)) return false;
    if (i > 0 && !std::ranges::lexicographical_compare(tensor.at.row(i - 1), row)) return false;
  }
  return true;
}

void SparseReorder(OpContext& c) {
  const SparseTensor tensor = SparseInput(c, 0);
  if (IsInOrder(tensor)) {  // R31
    c.Output(0, c.input(0));
    c.Output(1, c.input(1));
    return;
  }
  std::vector<int64_t> order(static_cast<size_t>(tensor.at.count));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
    const auto a = tensor.at.row(i), b = tensor.at.row(j);
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  });
  Coordinates ordered{0, tensor.at.rank, {}};
  for (const int64_t i : order) ordered.Append(tensor.at.row(i));
  c.Output(0, TensorOf(ordered));
  c.Output(1, Gathered(tensor.values, {tensor.at.count}, order));
}

constexpr KernelRow kRows[] = {
    {"SparseReorder", SparseReorder},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseReorder() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
