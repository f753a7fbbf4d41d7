// Orders of elimination by approximate minimum degree, Eigen's.
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <vector>

#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/cpu/sparse/csr_matrix.h"

namespace plumb::fast::cpu {
namespace {

class OrderingKernel final : public Kernel {
 public:
  explicit OrderingKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const CsrMatrix& matrix = CsrAt(context.input(0));
    const Dims dims = DimsOf(matrix.shape);
    const int64_t n = dims[dims.rank - 1], count = matrix.batches.elements() - 1;
    Require(dims[dims.rank - 2] == n, "the matrices must be square, not ", dims[dims.rank - 2], " by ", n);
    const Shape shape = dims.rank == 2 ? Shape({n}) : Shape({count, n});
    int32_t* const to = context.AllocateOutput(0, DType::kInt32, shape).mutable_data<int32_t>().data();
    for (int64_t batch = 0; batch < count; ++batch) WriteOrder(matrix, batch, n, to + batch * n);
  }

 private:
  void WriteOrder(const CsrMatrix& matrix, int64_t batch, int64_t n, int32_t* to) const {
    const int32_t first = matrix.batches.data<int32_t>()[static_cast<size_t>(batch)];
    const int32_t* const starts = matrix.rows.data<int32_t>().data() + batch * (n + 1);
    const int32_t* const columns = matrix.columns.data<int32_t>().data() + first;
    std::vector<Eigen::Triplet<float>> elements;
    for (int32_t row = 0; row < n; ++row) {
      elements.emplace_back(row, row, 1.0f);  // Eigen's order is a good one where the diagonal is full
      for (int32_t i = starts[row]; i < starts[row + 1]; ++i) {
        Require(static_cast<uint32_t>(columns[i]) < static_cast<uint64_t>(n), "the column ", columns[i],
                " is not in [0, ", n, ")");
        if (columns[i] < row) elements.emplace_back(row, columns[i], 1.0f);
      }
    }
    if (n == 0) return;
    Eigen::SparseMatrix<float> lower(n, n), whole(n, n);
    lower.setFromTriplets(elements.begin(), elements.end());
    whole = lower.selfadjointView<Eigen::Lower>();
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    Eigen::AMDOrdering<int>()(whole, order);
    std::copy_n(order.indices().data(), n, to);
  }
};

constexpr KernelRow kRows[] = {
    {"SparseMatrixOrderingAMD", Make<OrderingKernel>},
};

}  // namespace

std::span<const KernelRow> SparseCsrOrdering() { return kRows; }

}  // namespace plumb::fast::cpu
