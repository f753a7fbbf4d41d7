// Sparse matrices by rows (CSR): rows begin at places counted from the first value of their matrix.
#include <string>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/sparse_tensor.h"
#include "fastpath/cpu/sparse/csr_matrix.h"
#include "fastpath/memory/inside.h"
#include "spec/core/memory.h"

namespace plumb::fast::cpu {
namespace {

void RequireIndex(int64_t index, int64_t size, const char* what) {
  Require(static_cast<uint64_t>(index) < static_cast<uint64_t>(size), "the index ", index, " of a ", what,
          " is not in [0, ", size, ")");
}

// On the host, for whatever device.
int32_t* Zeroed(Tensor& tensor, int64_t size) {
  tensor = Tensor(DType::kInt32, {size});
  int32_t* const at = tensor.mutable_data<int32_t>().data();
  std::fill_n(at, size, 0);
  return at;
}

class ToCsrKernel final : public Kernel {
 public:
  explicit ToCsrKernel(const Node&) {}

  void Run(KernelContext& context) override {
    const IndexRows at = IndexRowsOf(context.input(0));
    const Dims dims = DimsOf(context.input(2));
    Require(dims.rank == at.rank && (dims.rank == 2 || dims.rank == 3),
            "a sparse matrix or a batch of them is needed, not indices of ", at.rank, " coordinates in ", dims.rank,
            " dimensions");
    const Shape& values = context.input(1).shape();
    Require(values.rank() == 1 && values[0] == at.count, "there must be ", at.count, " values, not the shape ",
            Printed(values));
    context.Unalias(1);
    auto matrix = std::make_shared<CsrMatrix>();
    matrix->shape = Tensor(DType::kInt64, context.input(2).shape());
    CopyElements(context.input(2), matrix->shape);
    matrix->values = HeldOf(context.input(1));
    Fill(*matrix, at, dims);
    SetCsr(context, std::move(matrix));
  }

 private:
  void Fill(CsrMatrix& matrix, const IndexRows& at, const Dims& dims) const {
    const int64_t count = dims.rank == 2 ? 1 : dims[0], rows = dims[dims.rank - 2], width = dims[dims.rank - 1];
    Require(count >= 0 && rows >= 0 && width >= 0, "the shape has a negative size");
    Require(rows < INT64_MAX, "a matrix of ", rows, " rows has more splits than int64 counts");
    RequireMemory(CheckedMultiply(count, rows).value_or(INT64_MAX), sizeof(int32_t));
    int32_t* const batches = Zeroed(matrix.batches, count + 1);
    int32_t* const starts = Zeroed(matrix.rows, count == 0 ? 0 : count * (rows + 1));
    int32_t* const columns = Zeroed(matrix.columns, at.count);
    for (int64_t i = 0; i < at.count; ++i) {
      const int64_t *const index = at[i], batch = dims.rank == 2 ? 0 : index[0], row = index[dims.rank - 2];
      RequireIndex(batch, count, "matrix");
      RequireIndex(row, rows, "row");
      RequireIndex(index[dims.rank - 1], width, "column");
      ++starts[batch * (rows + 1) + row + 1];
      ++batches[batch + 1];
      columns[i] = static_cast<int32_t>(index[dims.rank - 1]);
    }
    for (int64_t batch = 0; batch < count; ++batch) {
      batches[batch + 1] += batches[batch];
      int32_t* const own = starts + batch * (rows + 1);
      for (int64_t row = 0; row < rows; ++row) own[row + 1] += own[row];
    }
  }
};

class FromCsrKernel final : public Kernel {
 public:
  explicit FromCsrKernel(const Node& node) : type_(OutputType(node, 1)) {}

  void Run(KernelContext& context) override {
    const CsrMatrix& matrix = CsrAt(context.input(0), type_);
    WriteIndices(context, matrix);
    context.SetOutput(1, SeenHere(matrix.values));
    context.SetOutput(2, matrix.shape);
  }

 private:
  static void WriteIndices(KernelContext& context, const CsrMatrix& matrix) {
    const Dims dims = DimsOf(matrix.shape);
    const int64_t count = matrix.batches.elements() - 1, rows = dims[dims.rank - 2];
    const int32_t* const starts = matrix.rows.data<int32_t>().data();
    const int32_t* column = matrix.columns.data<int32_t>().data();
    Tensor indices(DType::kInt64, {matrix.columns.elements(), dims.rank});  // on the host, for whatever device
    int64_t* to = indices.mutable_data<int64_t>().data();
    for (int64_t batch = 0; batch < count; ++batch) {
      const int32_t* const own = starts + batch * (rows + 1);
      for (int64_t row = 0; row < rows; ++row) {
        for (int32_t i = own[row]; i < own[row + 1]; ++i) {
          if (dims.rank == 3) *to++ = batch;
          *to++ = row;
          *to++ = *column++;
        }
      }
    }
    context.SetOutput(0, std::move(indices));
  }

  const DType type_;
};

constexpr KernelRow kRows[] = {
    {"SparseTensorToCSRSparseMatrix", Make<ToCsrKernel>},
    {"CSRSparseMatrixToSparseTensor", Make<FromCsrKernel>},
};

}  // namespace

std::span<const KernelRow> SparseCsr() { return kRows; }

}  // namespace plumb::fast::cpu
