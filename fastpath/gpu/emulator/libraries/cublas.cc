// The fake of cuBLAS: it refuses what the library refuses.
#include "fastpath/gpu/emulator/libraries/products.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  int device = 0;
};

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  auto* const made = new cublasContext;
  if (cudaGetDevice(&made->device) != cudaSuccess) {
    delete made;
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  *handle = made;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                                          int n, int k, const void* alpha, const void* a, cudaDataType_t a_type,
                                          int lda, long long a_stride, const void* b, cudaDataType_t b_type, int ldb,
                                          long long b_stride, const void* beta, void* c, cudaDataType_t c_type, int ldc,
                                          long long c_stride, int batch, cublasComputeType_t compute,
                                          cublasGemmAlgo_t /*algorithm*/) {
  using namespace plumb::fast::emulated_gpu;  // NOLINT: the function is outside of it by its ABI
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || k < 0 || batch < 0) return CUBLAS_STATUS_INVALID_VALUE;
  const Product product = {
      op_a, op_b, m, n, k, lda, ldb, ldc, a_stride, b_stride, c_stride, batch, compute == CUBLAS_COMPUTE_32F_FAST_TF32};
  if (!product.HasRoom()) return CUBLAS_STATUS_INVALID_VALUE;
  if (alpha == nullptr || beta == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (a_type != b_type || a_type != c_type || !IsSupported(a_type, compute)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (m == 0 || n == 0 || batch == 0) return CUBLAS_STATUS_SUCCESS;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess || device != handle->device) return CUBLAS_STATUS_EXECUTION_FAILED;
  QueueProduct(handle->stream, a_type, product, alpha, a, b, beta, c);
  return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
