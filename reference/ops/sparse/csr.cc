// Sparse matrices by rows (CSR): for each matrix of a batch where its rows begin, counted from its own first value.
#include <vector>

#include "reference/ops/sparse/csr_matrix.h"
#include "spec/core/memory.h"

namespace plumb::reference {
namespace {

int64_t WithinRange(int64_t index, int64_t size, std::string_view what) {
  Require(0 <= index && index < size, "the index ", index, " of a ", what, " is not in [0, ", size, ")");
  return index;
}

void ToCsr(OpContext& c) {
  const SparseTensor input = SparseInput(c, 0);
  const auto rank = static_cast<int>(input.shape.size());
  Require(rank == 2 || rank == 3, "a sparse matrix or a batch of them is needed, not ", rank, " dimensions");
  CsrMatrix matrix;
  matrix.shape = input.shape;
  const int64_t count = rank == 2 ? 1 : input.shape[0], rows = input.shape[static_cast<size_t>(rank - 2)],
                columns = input.shape[static_cast<size_t>(rank - 1)];
  Require(count >= 0 && rows >= 0 && columns >= 0, "the shape of a batch of matrices has a negative size");
  Require(rows < INT64_MAX, "where ", rows, " rows begin and end cannot be counted");
  RequireMemory(CheckedMultiply(count, rows).value_or(INT64_MAX), sizeof(int64_t));
  std::vector<std::vector<int64_t>> lengths(static_cast<size_t>(count),
                                            std::vector<int64_t>(static_cast<size_t>(rows)));
  for (int64_t i = 0; i < input.at.count; ++i) {
    const int64_t batch = rank == 2 ? 0 : WithinRange(input.at(i, 0), count, "matrix");
    const int64_t row = WithinRange(input.at(i, rank - 2), rows, "row");
    ++lengths[static_cast<size_t>(batch)][static_cast<size_t>(row)];
    matrix.columns.push_back(WithinRange(input.at(i, rank - 1), columns, "column"));
  }
  matrix.batches.push_back(0);
  for (const auto& of_matrix : lengths) {
    int64_t end = 0;
    matrix.rows.push_back(0);
    for (const int64_t length : of_matrix) matrix.rows.push_back(end += length);
    matrix.batches.push_back(matrix.batches.back() + end);
  }
  matrix.values = Detached(input.values);
  OutputCsr(c, std::move(matrix));
}

void FromCsr(OpContext& c) {
  const CsrMatrix& matrix = CsrInput(c, 0, c.output_type(1));
  Coordinates at;
  at.rank = static_cast<int>(matrix.shape.size());
  matrix.ForEach([&](int64_t batch, int64_t row, int64_t column, int64_t) {
    at.Append(at.rank == 2 ? std::vector<int64_t>{row, column} : std::vector<int64_t>{batch, row, column});
  });
  SparseOutput(c, 0, at, matrix.values, matrix.shape);
}

constexpr KernelRow kRows[] = {
    {"SparseTensorToCSRSparseMatrix", ToCsr},
    {"CSRSparseMatrixToSparseTensor", FromCsr},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseCsr() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
