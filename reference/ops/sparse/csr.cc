// Sparse matrices by rows (CSR): for each matrix of a batch where its rows begin, counted from its own first value.
#include <vector>

#include "reference/ops/lib/sparse_tensor.h"
#include "spec/core/memory.h"
#include "spec/core/variant.h"

namespace plumb::reference {
namespace {

constexpr std::string_view kTypeName = "tensorflow::CSRSparseMatrix";

Tensor Int32s(std::span<const int64_t> numbers) {
  Tensor tensor(DType::kInt32, {std::ssize(numbers)});
  for (size_t i = 0; i < numbers.size(); ++i) tensor.mutable_data<int32_t>()[i] = static_cast<int32_t>(numbers[i]);
  return tensor;
}

struct CsrMatrix final : VariantPayload {
  std::vector<int64_t> shape;
  std::vector<int64_t> batches;  // where each matrix begins, and the end of the last
  std::vector<int64_t> rows;     // rows + 1 of each matrix
  std::vector<int64_t> columns;  // of each value
  Value values;

  std::string_view type_name() const override { return kTypeName; }
  EncodedVariant Encode() const override {
    return {
        std::string(kTypeName), "", {VectorOf(shape), Int32s(batches), Int32s(rows), Int32s(columns), values.tensor}};
  }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>& copy) const override {
    auto result = std::make_shared<CsrMatrix>(*this);
    result->values.tensor = copy(values.tensor);
    return result;
  }
};

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
  const int64_t count = rank == 2 ? 1 : input.shape[0], rows = input.shape[static_cast<size_t>(rank - 2)];
  Require(count >= 0 && rows >= 0, "the shape of a batch of matrices has a negative size");
  RequireMemory(CheckedMultiply(count, rows).value_or(INT64_MAX), sizeof(int64_t));
  std::vector<std::vector<int64_t>> lengths(static_cast<size_t>(count),
                                            std::vector<int64_t>(static_cast<size_t>(rows)));
  for (int64_t i = 0; i < input.at.count; ++i) {
    const int64_t batch = rank == 2 ? 0 : WithinRange(input.at(i, 0), count, "matrix");
    const int64_t row = WithinRange(input.at(i, rank - 2), rows, "row");
    ++lengths[static_cast<size_t>(batch)][static_cast<size_t>(row)];
    matrix.columns.push_back(input.at(i, rank - 1));
  }
  matrix.batches.push_back(0);
  for (const auto& of_matrix : lengths) {
    int64_t end = 0;
    matrix.rows.push_back(0);
    for (const int64_t length : of_matrix) matrix.rows.push_back(end += length);
    matrix.batches.push_back(matrix.batches.back() + end);
  }
  matrix.values = Detached(input.values);
  Variant variant;
  variant.type_name = kTypeName;
  variant.payload = std::make_shared<const CsrMatrix>(std::move(matrix));
  c.Output(0, MakeScalar(std::move(variant)));
}

void FromCsr(OpContext& c) {
  const Tensor& handle = c.tensor(0);
  Require(handle.rank() == 0, "a sparse matrix is a scalar, not of shape ", handle.shape().ToString());
  const auto* const matrix = dynamic_cast<const CsrMatrix*>(handle.data<Variant>()[0].payload.get());
  Require(matrix != nullptr, "a sparse matrix is needed, not a variant of type '", handle.data<Variant>()[0].type_name,
          "'");
  const DType dtype = matrix->values.tensor.dtype();
  Require(dtype == c.output_type(1), "the matrix holds ", DTypeName(dtype), ", not ", DTypeName(c.output_type(1)));
  const size_t rank = matrix->shape.size();
  const int64_t rows = matrix->shape[rank - 2];
  Coordinates at;
  at.rank = static_cast<int>(rank);
  for (int64_t batch = 0; batch + 1 < std::ssize(matrix->batches); ++batch) {
    for (int64_t row = 0; row < rows; ++row) {
      const auto place = static_cast<size_t>(batch * (rows + 1) + row);
      for (int64_t i = matrix->rows[place]; i < matrix->rows[place + 1]; ++i) {
        const int64_t column = matrix->columns[static_cast<size_t>(matrix->batches[static_cast<size_t>(batch)] + i)];
        at.Append(rank == 2 ? std::vector<int64_t>{row, column} : std::vector<int64_t>{batch, row, column});
      }
    }
  }
  SparseOutput(c, 0, at, matrix->values, matrix->shape);
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
