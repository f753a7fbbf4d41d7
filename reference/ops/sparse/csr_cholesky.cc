// Cholesky's factors of sparse matrices, computed as those of dense ones; which elements they have follows from the
// coordinates alone.
#include "reference/ops/lib/dense/cholesky.h"
#include "reference/ops/lib/dense/io.h"
#include "reference/ops/sparse/csr_matrix.h"
#include "spec/core/memory.h"

namespace plumb::reference {
namespace {

// A matrix with which of its elements are there.
template <class N>
struct Sparse {
  Parts<N> parts;
  std::vector<bool> there;

  explicit Sparse(int64_t n) : parts(n, n), there(static_cast<size_t>(n * n)) {}
  size_t Place(int64_t i, int64_t j) const { return static_cast<size_t>(i * parts.value.rows + j); }
};

// Row i of the permuted matrix is row order[i] of the given one.
using Order = std::vector<int64_t>;

Order OrderOf(const Tensor& permutations, int64_t batch, int64_t n) {
  Order order;
  std::vector<bool> seen(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    const int64_t place = permutations.data<int32_t>()[static_cast<size_t>(batch * n + i)];
    Require(0 <= place && place < n && !seen[static_cast<size_t>(place)], "permutation ", batch,
            " does not hold each of 0, …, ", n - 1, " once");
    seen[static_cast<size_t>(place)] = true;
    order.push_back(place);
  }
  return order;
}

// The element that stands at (i, j) in the permuted matrix, of which the lower triangle is read.
template <class N>
Sparse<N> Permuted(const Sparse<N>& a, const Order& order) {
  const int64_t n = a.parts.value.rows;
  Sparse<N> result(n);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      const int64_t p = order[static_cast<size_t>(i)], q = order[static_cast<size_t>(j)];
      const int64_t row = std::max(p, q), column = std::min(p, q);
      result.there[result.Place(i, j)] = a.there[a.Place(row, column)];
      const auto value = a.parts.value(row, column), tangent = a.parts.tangent(row, column);
      result.parts.value(i, j) = p >= q ? value : Conjugated(value);
      result.parts.tangent(i, j) = p >= q ? tangent : Conjugated(tangent);
      result.parts.error(i, j) = a.parts.error(row, column);
    }
  }
  return result;
}

// The factor has an element where the matrix has one, and where two elements of one of its columns meet.
template <class N>
void FillIn(Sparse<N>& a) {
  const int64_t n = a.parts.value.rows;
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t i = k + 1; i < n; ++i) {
      for (int64_t j = k + 1; j <= i && a.there[a.Place(i, k)]; ++j) {
        if (a.there[a.Place(j, k)]) a.there[a.Place(i, j)] = true;
      }
    }
  }
}

template <class N>
Sparse<N> Factored(const Sparse<N>& a, const Order& order, int64_t batch) {
  using S = typename Parts<N>::S;
  Sparse<N> permuted = Permuted(a, order);
  const Factor<S> factor = Factorized(permuted.parts.value);
  Require(factor.failed == a.parts.value.rows, "matrix ", batch, " is not positive definite");
  FillIn(permuted);
  const Sizes error = FactorError(factor.l, permuted.parts.error);
  const Dense<S> tangent = FactorTangent(factor.l, permuted.parts.tangent);
  Sparse<N> result(a.parts.value.rows);
  for (int64_t i = 0; i < a.parts.value.rows; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      const int64_t p = order[static_cast<size_t>(i)], q = order[static_cast<size_t>(j)];
      result.there[result.Place(p, q)] = permuted.there[permuted.Place(i, j)];
      result.parts.value(p, q) = factor.l(i, j);
      result.parts.error(p, q) = error(i, j);
      result.parts.tangent(p, q) = tangent(i, j);
    }
  }
  return result;
}

// What lies in the lower triangles, matrix by matrix; the same element twice is the sum.
template <class N>
std::vector<Sparse<N>> LowerTriangles(const CsrMatrix& matrix, int64_t count, int64_t n) {
  const Array<N> values = Load<N>(matrix.values);
  std::vector<Sparse<N>> triangles(static_cast<size_t>(count), Sparse<N>(n));
  matrix.ForEach([&](int64_t batch, int64_t row, int64_t column, int64_t i) {
    Require(0 <= column && column < n, "the column ", column, " is not in [0, ", n, ")");
    if (column > row) return;
    Sparse<N>& to = triangles[static_cast<size_t>(batch)];
    to.there[to.Place(row, column)] = true;
    Parts<N> one(1, 1);
    SetPart(values[i], one.value(0, 0), one.error(0, 0), one.tangent(0, 0));
    to.parts.value(row, column) += one.value(0, 0);
    to.parts.error(row, column) += one.error(0, 0) + Gamma<typename Parts<N>::S>(1) * std::abs(one.value(0, 0));
    to.parts.tangent(row, column) += one.tangent(0, 0);
  });
  return triangles;
}

template <class N>
CsrMatrix FactorsOf(const CsrMatrix& matrix, const Tensor& permutations, DType dtype) {
  const int64_t n = matrix.shape.back(), count = std::ssize(matrix.batches) - 1;
  CsrMatrix result;
  result.shape = matrix.shape;
  result.batches.push_back(0);
  std::vector<N> values;
  int64_t batch = 0;
  for (const Sparse<N>& triangle : LowerTriangles<N>(matrix, count, n)) {
    const Sparse<N> factor = Factored(triangle, OrderOf(permutations, batch, n), batch);
    ++batch;
    int64_t end = 0;
    result.rows.push_back(0);
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        if (!factor.there[factor.Place(i, j)]) continue;
        const Parts<N>& parts = factor.parts;
        values.push_back(NumberOf(parts.value(i, j), parts.error(i, j), parts.tangent(i, j)));
        result.columns.push_back(j);
        ++end;
      }
      result.rows.push_back(end);
    }
    result.batches.push_back(result.batches.back() + end);
  }
  auto array = MakeArray<N>(dtype, Shape({std::ssize(values)}));
  array.at = std::move(values);
  result.values = Store(array);
  return result;
}

void SparseCholesky(OpContext& c) {
  const DType dtype = c.attr<DType>("type");
  const CsrMatrix& matrix = CsrInput(c, 0, dtype);
  const size_t rank = matrix.shape.size();
  const int64_t n = matrix.shape[rank - 1];
  Require(matrix.shape[rank - 2] == n, "the matrices must be square, not ", matrix.shape[rank - 2], " by ", n);
  const Shape expected = rank == 2 ? Shape({n}) : Shape({matrix.shape[0], n});
  Require(c.tensor(1).shape() == expected, "the permutation must have the shape ", expected.ToString(), ", not ",
          c.tensor(1).shape().ToString());
  RequireMemory(CheckedMultiply(n, n).value_or(INT64_MAX), sizeof(double));
  ComputeIn(dtype);
  ForKind<Real, Complex>(
      dtype, [&](auto kind) { OutputCsr(c, FactorsOf<typename decltype(kind)::Type>(matrix, c.tensor(1), dtype)); });
}

constexpr KernelRow kRows[] = {
    {"SparseMatrixSparseCholesky", SparseCholesky},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseCsrCholesky() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
