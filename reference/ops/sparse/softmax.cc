#include <algorithm>
#include <numeric>

#include "reference/numbers/element.h"
#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

// e^(x−m) / Σ e^(x−m), m being the largest of these elements.
std::vector<Real> SoftmaxOf(const std::vector<Real>& x) {
  Real largest = x[0];
  for (const Real& element : x) largest = Max(largest, element);
  std::vector<Real> powers;
  Sum sum;
  for (const Real& element : x) {
    powers.push_back(Exp(element - largest));
    sum.Add(powers.back());
  }
  for (Real& power : powers) power = power / sum.Result();
  return powers;
}

// The results come in the order of the coordinates, whatever that of the elements is.
void SparseSoftmax(OpContext& c) {
  const SparseTensor tensor = SparseInput(c, 0);
  const Shape shape = tensor.dense_shape();
  Require(shape.rank() >= 2, "the tensor must have rank 2 at least, not the shape ", shape.ToString());
  std::vector<int64_t> order(static_cast<size_t>(tensor.at.count));
  std::iota(order.begin(), order.end(), 0);
  const auto is_before = [&](int64_t i, int64_t j, size_t coordinates) {
    const auto a = tensor.at.row(i).first(coordinates), b = tensor.at.row(j).first(coordinates);
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  };
  const auto rank = static_cast<size_t>(shape.rank());
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) { return is_before(i, j, rank); });
  ForKind<Real>(c.tensor(1).dtype(), [&](auto) {
    const Reader<Real> x(c.input(1));
    Writer<Real> result(c.tensor(1).dtype(), c.tensor(1).shape());
    int64_t done = 0;
    while (done < tensor.at.count) {
      const int64_t first = order[static_cast<size_t>(done)];
      std::vector<Real> row;
      for (auto next = order.begin() + done; next != order.end() && !is_before(first, *next, rank - 1); ++next) {
        row.push_back(x[*next]);
      }
      for (const Real& share : SoftmaxOf(row)) result.Set(done++, share);
    }
    c.Output(0, result.Take());
  });
}

constexpr KernelRow kRows[] = {
    {"SparseSoftmax", SparseSoftmax},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseSoftmax() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
