// Orders of elimination by minimum degree: of the rows that are left, the one with the fewest neighbours comes next,
// the first among equals. Those neighbours are each other's from then on, for that is where its elimination fills in.
#include <set>
#include <vector>

#include "reference/ops/sparse/csr_matrix.h"
#include "spec/core/memory.h"

namespace plumb::reference {
namespace {

using Neighbours = std::vector<std::set<int64_t>>;  // of each row

std::vector<int32_t> OrderByDegree(Neighbours neighbours) {
  std::set<int64_t> left;
  for (int64_t row = 0; row < std::ssize(neighbours); ++row) left.insert(row);
  std::vector<int32_t> order;
  while (!left.empty()) {
    int64_t next = *left.begin();
    for (const int64_t row : left) {
      if (neighbours[static_cast<size_t>(row)].size() < neighbours[static_cast<size_t>(next)].size()) next = row;
    }
    const std::set<int64_t> met = neighbours[static_cast<size_t>(next)];
    for (const int64_t row : met) {
      std::set<int64_t>& own = neighbours[static_cast<size_t>(row)];
      own.insert(met.begin(), met.end());
      own.erase(row);
      own.erase(next);
    }
    left.erase(next);
    order.push_back(static_cast<int32_t>(next));
  }
  return order;
}

void OrderingAmd(OpContext& c) {
  const CsrMatrix& matrix = CsrInput(c, 0);
  const size_t rank = matrix.shape.size();
  const int64_t n = matrix.shape[rank - 1], count = std::ssize(matrix.batches) - 1;
  Require(matrix.shape[rank - 2] == n, "the matrices must be square, not ", matrix.shape[rank - 2], " by ", n);
  RequireMemory(CheckedMultiply(n, n).value_or(INT64_MAX), sizeof(int64_t));
  std::vector<Neighbours> graphs(static_cast<size_t>(count), Neighbours(static_cast<size_t>(n)));
  matrix.ForEach([&](int64_t batch, int64_t row, int64_t column, int64_t) {
    Require(0 <= column && column < n, "the column ", column, " is not in [0, ", n, ")");
    if (column >= row) return;
    graphs[static_cast<size_t>(batch)][static_cast<size_t>(row)].insert(column);
    graphs[static_cast<size_t>(batch)][static_cast<size_t>(column)].insert(row);
  });
  Tensor orders(DType::kInt32, rank == 2 ? Shape({n}) : Shape({count, n}));
  auto to = orders.mutable_data<int32_t>().begin();
  for (Neighbours& graph : graphs) {
    const std::vector<int32_t> order = OrderByDegree(std::move(graph));
    to = std::copy(order.begin(), order.end(), to);
  }
  c.Output(0, std::move(orders));
}

constexpr KernelRow kRows[] = {
    {"SparseMatrixOrderingAMD", OrderingAmd},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseCsrOrdering() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
