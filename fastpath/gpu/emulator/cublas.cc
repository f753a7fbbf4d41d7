// The fake of cuBLAS: it refuses what the library refuses, and computes by a kernel of the emulator, which checks every
// access against the extent of the matrices.
#include <algorithm>
#include <complex>
#include <type_traits>

#include "fastpath/gpu/emulator/include/cublas_v2.h"
#include "fastpath/gpu/emulator/include/gpu_language.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  int device = 0;
};

namespace plumb::fast::emulated_gpu {
namespace {

// One matrix of each operand, as the call describes them.
struct Product {
  cublasOperation_t op_a, op_b;
  int64_t m, n, k, lda, ldb, ldc, a_stride, b_stride, c_stride, batch;
};

template <class T>
struct Sums {
  using Type = T;
  static T Load(T value) { return value; }
  static T Store(T value) { return value; }
};
template <>
struct Sums<Half> {
  using Type = float;
  static float Load(Half value) { return static_cast<float>(value); }
  static Half Store(float value) { return Half(value); }
};
template <>
struct Sums<BFloat16> {
  using Type = float;
  static float Load(BFloat16 value) { return static_cast<float>(value); }
  static BFloat16 Store(float value) { return BFloat16(value); }
};

template <class T>
T Conjugated(T value) {
  return value;
}
template <class T>
std::complex<T> Conjugated(std::complex<T> value) {
  return std::conj(value);
}

template <class T>
T Element(const Global<const T>& matrix, cublasOperation_t op, int64_t ld, int64_t row, int64_t column) {
  if (op == CUBLAS_OP_N) return matrix[column * ld + row];
  const T value = matrix[row * ld + column];
  return op == CUBLAS_OP_C ? Conjugated(value) : value;
}

template <class T>
PLUMB_GPU_KERNEL Multiply(Product p, typename Sums<T>::Type alpha, typename Sums<T>::Type beta, Global<const T> a,
                          Global<const T> b, Global<T> c) {
  using Sum = typename Sums<T>::Type;
  const int64_t all = p.m * p.n * p.batch;
  for (int64_t i = BlockNumber() * Threads() + ThreadNumber(); i < all; i += Blocks() * Threads()) {
    const int64_t row = i % p.m, column = i / p.m % p.n, matrix = i / (p.m * p.n);
    const auto own_a = a.From(matrix * p.a_stride, a.size - matrix * p.a_stride);
    const auto own_b = b.From(matrix * p.b_stride, b.size - matrix * p.b_stride);
    Sum sum = 0;
    for (int64_t j = 0; j < p.k; ++j) {
      sum += Sums<T>::Load(Element(own_a, p.op_a, p.lda, row, j)) *
             Sums<T>::Load(Element(own_b, p.op_b, p.ldb, j, column));
    }
    T& place = c[matrix * p.c_stride + column * p.ldc + row];
    sum *= alpha;
    if (beta != Sum(0)) sum += beta * Sums<T>::Load(place);
    place = Sums<T>::Store(sum);
  }
}

// How many elements a strided batch reaches over.
int64_t Extent(int64_t columns, int64_t ld, int64_t rows, int64_t stride, int64_t batch) {
  return columns == 0 || rows == 0 ? 0 : (batch - 1) * stride + (columns - 1) * ld + rows;
}

template <class T>
void Queue(cudaStream_t stream, const Product& p, const void* alpha, const void* a, const void* b, const void* beta,
           void* c) {
  using Sum = typename Sums<T>::Type;
  const bool n_a = p.op_a == CUBLAS_OP_N, n_b = p.op_b == CUBLAS_OP_N;
  const Global<const T> from_a(static_cast<const T*>(a),
                               Extent(n_a ? p.k : p.m, p.lda, n_a ? p.m : p.k, p.a_stride, p.batch));
  const Global<const T> from_b(static_cast<const T*>(b),
                               Extent(n_b ? p.n : p.k, p.ldb, n_b ? p.k : p.n, p.b_stride, p.batch));
  const Global<T> to(static_cast<T*>(c), Extent(p.n, p.ldc, p.m, p.c_stride, p.batch));
  const int64_t elements = p.m * p.n * p.batch;
  Launch(stream, {.blocks = (elements + 255) / 256, .threads = 256, .has_barriers = false}, Multiply<T>, p,
         *static_cast<const Sum*>(alpha), *static_cast<const Sum*>(beta), from_a, from_b, to);
}

bool IsSupported(cudaDataType_t type, cublasComputeType_t compute) {
  const bool is_wide = type == CUDA_R_64F || type == CUDA_C_64F;
  return compute == (is_wide ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F);
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu

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
  if (lda < std::max(1, op_a == CUBLAS_OP_N ? m : k)) return CUBLAS_STATUS_INVALID_VALUE;
  if (ldb < std::max(1, op_b == CUBLAS_OP_N ? k : n)) return CUBLAS_STATUS_INVALID_VALUE;
  if (ldc < std::max(1, m)) return CUBLAS_STATUS_INVALID_VALUE;
  if (alpha == nullptr || beta == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (a_type != b_type || a_type != c_type || !IsSupported(a_type, compute)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (m == 0 || n == 0 || batch == 0) return CUBLAS_STATUS_SUCCESS;
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess || device != handle->device) return CUBLAS_STATUS_EXECUTION_FAILED;
  const Product p = {op_a, op_b, m, n, k, lda, ldb, ldc, a_stride, b_stride, c_stride, batch};
  switch (a_type) {
    case CUDA_R_16F:
      Queue<plumb::Half>(handle->stream, p, alpha, a, b, beta, c);
      break;
    case CUDA_R_16BF:
      Queue<plumb::BFloat16>(handle->stream, p, alpha, a, b, beta, c);
      break;
    case CUDA_R_32F:
      Queue<float>(handle->stream, p, alpha, a, b, beta, c);
      break;
    case CUDA_R_64F:
      Queue<double>(handle->stream, p, alpha, a, b, beta, c);
      break;
    case CUDA_C_32F:
      Queue<std::complex<float>>(handle->stream, p, alpha, a, b, beta, c);
      break;
    case CUDA_C_64F:
      Queue<std::complex<double>>(handle->stream, p, alpha, a, b, beta, c);
      break;
  }
  return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
