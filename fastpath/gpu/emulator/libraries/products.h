// What the fakes of cuBLAS and cuBLASLt compute with.
#pragma once

#include <cstdint>

#include "fastpath/gpu/emulator/include/cublas_v2.h"

namespace plumb::fast::emulated_gpu {

// `batch` products of matrices that lie column by column, as a call describes them.
struct Product {
  cublasOperation_t op_a, op_b;
  int64_t m, n, k, lda, ldb, ldc, a_stride, b_stride, c_stride, batch;
  bool as_tf32 = false;  // whether parts of factors are floats that are taken for TF32

  // Where each column has room for its rows.
  bool HasRoom() const;
};

// Queues c = alpha · a · b + beta · c on the stream, by a kernel which checks every access against the extent of the
// matrices. alpha and beta are of the type that sums are in.
void QueueProduct(cudaStream_t stream, cudaDataType_t element, const Product& product, const void* alpha, const void* a,
                  const void* b, const void* beta, void* c);
// The same in two parts, cut in the middle of the inner axis: the sums of the first lie in the workspace until those of
// the second are there.
void QueueProductInParts(cudaStream_t stream, cudaDataType_t element, const Product& product, const void* alpha,
                         const void* a, const void* b, const void* beta, void* c, void* workspace);
// Bytes that QueueProductInParts works in.
int64_t WorkspaceOf(cudaDataType_t element, const Product& product);

// Whether the library computes products of these elements in that type.
bool IsSupported(cudaDataType_t element, cublasComputeType_t compute);

}  // namespace plumb::fast::emulated_gpu
