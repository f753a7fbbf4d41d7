// Sparse matrices in compressed rows.
#include "spec/ops/known/lists.h"

namespace plumb::known {

std::span<const Signature> SparseMatrices() {
  static constexpr Signature kSignatures[] = {
      {"CSRSparseMatrixComponents(csr_sparse_matrix: variant, index: int32) -> (row_ptrs: int32, col_inds: int32, "
       "values: type)",
       "type: type in [complexes, float32, float64]"},
      {"CSRSparseMatrixToDense(sparse_input: variant) -> (dense_output: type)",
       "type: type in [complexes, float32, float64]"},
      {"DenseToCSRSparseMatrix(dense_input: T, indices: int64) -> (sparse_output: variant)",
       "T: type in [complexes, float32, float64]"},
      {"SparseMatrixAdd(a: variant, b: variant, alpha: T, beta: T) -> (c: variant)",
       "T: type in [complexes, float32, float64]"},
      {"SparseMatrixMatMul(a: variant, b: T) -> (output: T)",
       "T: type; transpose_a: bool = false; transpose_b: bool = false; adjoint_a: bool = false; adjoint_b: bool = "
       "false; transpose_output: bool = false; conjugate_output: bool = false"},
      {"SparseMatrixMul(a: variant, b: T) -> (output: variant)", "T: type"},
      {"SparseMatrixNNZ(sparse_matrix: variant) -> (nnz: int32)", ""},
      {"SparseMatrixSoftmax(logits: variant) -> (softmax: variant)", "type: type in [float32, float64]"},
      {"SparseMatrixSoftmaxGrad(softmax: variant, grad_softmax: variant) -> (gradient: variant)",
       "type: type in [float32, float64]"},
      {"SparseMatrixSparseMatMul(a: variant, b: variant) -> (c: variant)",
       "type: type in [complexes, float32, float64]; transpose_a: bool = false; transpose_b: bool = false; adjoint_a: "
       "bool = false; adjoint_b: bool = false"},
      {"SparseMatrixTranspose(input: variant) -> (output: variant)",
       "conjugate: bool = false; type: type in [complexes, float32, float64]"},
      {"SparseMatrixZeros(dense_shape: int64) -> (sparse_matrix: variant)",
       "type: type in [complexes, float32, float64]"},
  };
  return kSignatures;
}

}  // namespace plumb::known
