// Cholesky's factors of sparse matrices, by Eigen's elimination tree.
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/cpu/linalg/matrices.h"
#include "fastpath/cpu/sparse/csr_matrix.h"
#include "spec/core/memory.h"

namespace plumb::fast::cpu {
namespace {

template <class T>
class SparseCholeskyKernel final : public Kernel {
 public:
  explicit SparseCholeskyKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const CsrMatrix& matrix = CsrAt(context.input(0), DTypeOf<T>);
    const Tensor& permutation = context.input(1);
    const Dims dims = DimsOf(matrix.shape);
    const int64_t n = dims[dims.rank - 1], count = matrix.batches.elements() - 1;
    Require(dims[dims.rank - 2] == n, "the matrices must be square, not ", dims[dims.rank - 2], " by ", n);
    const Shape expected = dims.rank == 2 ? Shape({n}) : Shape({dims[0], n});
    Require(permutation.shape() == expected, "the permutation must have the shape ", Printed(expected), ", not ",
            Printed(permutation.shape()));
    RequireMemory(CheckedMultiply(n, n).value_or(INT64_MAX), sizeof(double));  // a factor may be as large
    auto result = std::make_shared<CsrMatrix>();
    result->shape = matrix.shape;
    Rows rows;
    for (int64_t batch = 0; batch < count; ++batch) {
      Append(FactorOf(matrix, batch, n, permutation.data<int32_t>().data() + batch * n), n, rows);
    }
    result->batches = Vector(rows.batches);
    result->rows = Vector(rows.starts);
    result->columns = Vector(rows.columns);
    result->values = Vector(rows.values);
    SetCsr(context, std::move(result));
  }

 private:
  using Triplets = std::vector<Eigen::Triplet<T>>;
  struct Rows {
    std::vector<int32_t> batches = {0}, starts, columns;
    std::vector<T> values;
  };

  // Where each row of the matrix stands in the permuted one.
  std::vector<int32_t> PlacesOf(const int32_t* order, int64_t batch, int64_t n) const {
    std::vector<int32_t> places(static_cast<size_t>(n), -1);
    for (int64_t i = 0; i < n; ++i) {
      const bool is_new =
          static_cast<uint32_t>(order[i]) < static_cast<uint64_t>(n) && places[static_cast<size_t>(order[i])] < 0;
      Require(is_new, "permutation ", batch, " does not hold each of 0, …, ", n - 1, " once");
      places[static_cast<size_t>(order[i])] = static_cast<int32_t>(i);
    }
    return places;
  }

  // The factor's elements, at their rows and columns in the order of the matrix.
  Triplets FactorOf(const CsrMatrix& matrix, int64_t batch, int64_t n, const int32_t* order) const {
    const std::vector<int32_t> places = PlacesOf(order, batch, n);
    const int32_t first = matrix.batches.data<int32_t>()[static_cast<size_t>(batch)];
    const int32_t* const starts = matrix.rows.data<int32_t>().data() + batch * (n + 1);
    const int32_t* const columns = matrix.columns.data<int32_t>().data() + first;
    const T* const values = matrix.values.data<T>().data() + first;
    Triplets elements;
    for (int32_t row = 0; row < n; ++row) {
      for (int32_t i = starts[row]; i < starts[row + 1]; ++i) {
        Require(static_cast<uint32_t>(columns[i]) < static_cast<uint64_t>(n), "the column ", columns[i],
                " is not in [0, ", n, ")");
        if (columns[i] > row) continue;
        const int32_t p = places[static_cast<size_t>(row)], q = places[static_cast<size_t>(columns[i])];
        elements.emplace_back(std::max(p, q), std::min(p, q), p >= q ? values[i] : Eigen::numext::conj(values[i]));
      }
    }
    using Matrix = Eigen::SparseMatrix<T>;
    Matrix permuted(n, n);
    permuted.setFromTriplets(elements.begin(), elements.end());
    const Eigen::SimplicialLLT<Matrix, Eigen::Lower, Eigen::NaturalOrdering<int>> solver(permuted);
    Require(solver.info() == Eigen::Success, "matrix ", batch, " is not positive definite");
    const Matrix factor = solver.matrixL();
    elements.clear();
    for (int column = 0; column < factor.outerSize(); ++column) {
      for (typename Matrix::InnerIterator at(factor, column); at; ++at) {
        elements.emplace_back(order[at.row()], order[at.col()], at.value());
      }
    }
    return elements;
  }

  static void Append(Triplets elements, int64_t n, Rows& to) {
    std::sort(elements.begin(), elements.end(),
              [](const auto& a, const auto& b) { return std::pair(a.row(), a.col()) < std::pair(b.row(), b.col()); });
    auto next = elements.begin();
    to.starts.push_back(0);
    for (int64_t row = 0; row < n; ++row) {
      for (; next != elements.end() && next->row() == row; ++next) {
        to.columns.push_back(next->col());
        to.values.push_back(next->value());
      }
      to.starts.push_back(static_cast<int32_t>(next - elements.begin()));
    }
    to.batches.push_back(static_cast<int32_t>(to.columns.size()));
  }

  template <class V>
  static Tensor Vector(const std::vector<V>& values) {
    return MakeTensor<V>({std::ssize(values)}, std::span<const V>(values));
  }
};

std::unique_ptr<Kernel> MakeSparseCholesky(const Node& node) {
  const auto type = GetAttr<DType>(node.attrs, "type");
  return VisitOneOf(LinalgTypes(), type, std::unique_ptr<Kernel>(), [&](auto tag) {
    return std::unique_ptr<Kernel>(std::make_unique<SparseCholeskyKernel<typename decltype(tag)::Type>>(node));
  });
}

constexpr KernelRow kRows[] = {
    {"SparseMatrixSparseCholesky", MakeSparseCholesky},
};

}  // namespace

std::span<const KernelRow> SparseCsrCholesky() { return kRows; }

}  // namespace plumb::fast::cpu
