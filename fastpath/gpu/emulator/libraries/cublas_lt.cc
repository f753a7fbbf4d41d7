// The fake of cuBLASLt: it reads descriptions as they were made, refuses what the library refuses, and stricter: an
// algorithm computes only the product that it was chosen for, from addresses as they were promised.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>

#include "fastpath/gpu/emulator/emulator.h"
#include "fastpath/gpu/emulator/include/cublasLt.h"
#include "fastpath/gpu/emulator/libraries/products.h"

struct cublasLtContext {
  int device = 0;
};
struct cublasLtMatmulDescOpaque_t {
  cublasComputeType_t compute;
  cudaDataType_t scale;
  int32_t a_op = CUBLAS_OP_N, b_op = CUBLAS_OP_N;
};
struct cublasLtMatrixLayoutOpaque_t {
  cudaDataType_t type;
  uint64_t rows, columns;
  int64_t column;
  int32_t batch = 1;
  int64_t step = 0;
};
struct cublasLtMatmulPreferenceOpaque_t {
  uint64_t workspace = 0;
  uint32_t reductions = 7;
  uint64_t implementations = ~uint64_t{0};
  std::array<uint32_t, 4> alignments = {256, 256, 256, 256};  // of a, b, c, d
};

namespace plumb::fast::emulated_gpu {
namespace {

std::atomic<int64_t> choices{0};

// What an algorithm of the fake is: the product that it is for, and how it goes about it.
struct Algorithm {
  uint64_t product;                    // PrintOf
  uint64_t workspace;                  // bytes; 0: in one go
  std::array<uint32_t, 4> alignments;  // of a, b, c, d
};
static_assert(sizeof(Algorithm) <= sizeof(cublasLtMatmulAlgo_t));

cublasLtMatmulAlgo_t Sealed(const Algorithm& algorithm) {
  cublasLtMatmulAlgo_t sealed{};
  std::memcpy(sealed.data, &algorithm, sizeof algorithm);
  return sealed;
}
Algorithm Opened(const cublasLtMatmulAlgo_t& sealed) {
  Algorithm algorithm{};
  std::memcpy(&algorithm, sealed.data, sizeof algorithm);
  return algorithm;
}

struct Described {
  cublasLtMatmulDesc_t operation;
  cublasLtMatrixLayout_t a, b, c, d;
};

cublasOperation_t OperationOf(int32_t op) { return static_cast<cublasOperation_t>(op); }

// The scale is of the type that is computed in, complex for complex numbers.
bool IsScale(cudaDataType_t element, cudaDataType_t scale) {
  const bool is_short = element == CUDA_R_16F || element == CUDA_R_16BF;
  return scale == (is_short ? CUDA_R_32F : element);
}

constexpr int32_t kMostProducts = (1 << 16) - 1;  // in one call

bool AreOfOneKind(const Described& x) {
  for (const auto* layout : {x.b, x.c, x.d}) {
    if (layout->type != x.a->type || layout->batch != x.a->batch) return false;
  }
  return x.a->batch <= kMostProducts && IsSupported(x.a->type, x.operation->compute) &&
         IsScale(x.a->type, x.operation->scale);
}

// Nothing, where shapes do not go together.
std::optional<Product> ProductOf(const Described& x) {
  const cublasOperation_t a_op = OperationOf(x.operation->a_op), b_op = OperationOf(x.operation->b_op);
  const bool a_plain = a_op == CUBLAS_OP_N, b_plain = b_op == CUBLAS_OP_N;
  const uint64_t m = a_plain ? x.a->rows : x.a->columns, k = a_plain ? x.a->columns : x.a->rows;
  const uint64_t n = b_plain ? x.b->columns : x.b->rows;
  if (k != (b_plain ? x.b->rows : x.b->columns)) return std::nullopt;
  for (const auto* to : {x.c, x.d}) {
    if (to->rows != m || to->columns != n || to->step != x.d->step || to->column != x.d->column) return std::nullopt;
  }
  Product product = {a_op,
                     b_op,
                     static_cast<int64_t>(m),
                     static_cast<int64_t>(n),
                     static_cast<int64_t>(k),
                     x.a->column,
                     x.b->column,
                     x.d->column,
                     x.a->step,
                     x.b->step,
                     x.d->step,
                     x.a->batch,
                     x.operation->compute == CUBLAS_COMPUTE_32F_FAST_TF32};
  if (!product.HasRoom()) return std::nullopt;
  // Matrices of a batch lie apart in the result.
  if (product.batch > 1 && product.c_stride < product.ldc * product.n) return std::nullopt;
  return product;
}

// A number that other products do not have.
uint64_t PrintOf(cudaDataType_t element, const Product& p) {
  uint64_t print = 14695981039346656037U;
  for (const int64_t part : {int64_t{element}, int64_t{p.op_a}, int64_t{p.op_b}, p.m, p.n, p.k, p.lda, p.ldb, p.ldc,
                             p.a_stride, p.b_stride, p.c_stride, p.batch, int64_t{p.as_tf32}}) {
    print = (print ^ static_cast<uint64_t>(part)) * 1099511628211U;
  }
  return print;
}

bool IsAligned(const void* address, uint64_t bytes) { return reinterpret_cast<uintptr_t>(address) % bytes == 0; }

template <class T>
cublasStatus_t Take(const void* value, size_t bytes, T& to) {
  if (value == nullptr || bytes != sizeof to) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&to, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t Destroy(T* made) {
  if (made == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  delete made;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

int64_t EmulatorChoicesOfProducts() { return choices; }

}  // namespace plumb::fast::emulated_gpu

using namespace plumb::fast::emulated_gpu;  // NOLINT: the functions are outside of it by their ABI

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  cublasLtContext context;
  if (cudaGetDevice(&context.device) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new cublasLtContext(context);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return Destroy(handle); }

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* operation, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  if (operation == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *operation = new cublasLtMatmulDescOpaque_t{compute, scale};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation) { return Destroy(operation); }

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t operation, cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, size_t bytes) {
  if (operation == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  int32_t& op = attribute == CUBLASLT_MATMUL_DESC_TRANSA ? operation->a_op : operation->b_op;
  int32_t asked = 0;
  const cublasStatus_t status = Take(value, bytes, asked);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  if (asked < CUBLAS_OP_N || asked > CUBLAS_OP_C) return CUBLAS_STATUS_INVALID_VALUE;
  op = asked;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType_t type, uint64_t rows,
                                          uint64_t columns, int64_t column) {
  if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *layout = new cublasLtMatrixLayoutOpaque_t{type, rows, columns, column};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) { return Destroy(layout); }

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                size_t bytes) {
  if (layout == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT) return Take(value, bytes, layout->batch);
  return Take(value, bytes, layout->step);
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  if (preference == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *preference = new cublasLtMatmulPreferenceOpaque_t;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) { return Destroy(preference); }

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute, const void* value,
                                                    size_t bytes) {
  if (preference == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  switch (attribute) {
    case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
      return Take(value, bytes, preference->workspace);
    case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
      return Take(value, bytes, preference->reductions);
    case CUBLASLT_MATMUL_PREF_IMPL_MASK:
      return Take(value, bytes, preference->implementations);
    default:
      return Take(value, bytes, preference->alignments.at(attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES));
  }
}

// Long sums are cut in two where there may be a workspace for the first half, and sums of parts are allowed.
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t* results, int* found) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (results == nullptr || found == nullptr || wanted < 1) return CUBLAS_STATUS_INVALID_VALUE;
  const Described described = {operation, a, b, c, d};
  *found = 0;
  if (!AreOfOneKind(described)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const std::optional<Product> product = ProductOf(described);
  if (!product) return CUBLAS_STATUS_INVALID_VALUE;
  constexpr int64_t kLong = 32;
  const auto needed = static_cast<uint64_t>(WorkspaceOf(a->type, *product));
  const bool in_parts = product->k >= kLong && needed <= preference->workspace && preference->reductions != 0;
  const Algorithm algorithm = {PrintOf(a->type, *product), in_parts ? needed : 0, preference->alignments};
  ++choices;
  results[0] = {Sealed(algorithm), algorithm.workspace, CUBLAS_STATUS_SUCCESS, 1.0F, {}};
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation, const void* alpha, const void* a,
                              cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout,
                              const void* beta, const void* c, cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t* sealed, void* workspace,
                              size_t workspace_bytes, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (alpha == nullptr || beta == nullptr || sealed == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const Described described = {operation, a_layout, b_layout, c_layout, d_layout};
  if (!AreOfOneKind(described)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const std::optional<Product> product = ProductOf(described);
  const Algorithm algorithm = Opened(*sealed);
  if (!product || PrintOf(a_layout->type, *product) != algorithm.product) return CUBLAS_STATUS_INVALID_VALUE;
  if (workspace_bytes < algorithm.workspace || c != d) return CUBLAS_STATUS_INVALID_VALUE;
  if (algorithm.workspace > 0 && (workspace == nullptr || !IsAligned(workspace, 256))) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  const std::array<const void*, 4> addresses = {a, b, c, d};
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (!IsAligned(addresses[i], algorithm.alignments[i])) return CUBLAS_STATUS_INVALID_VALUE;
  }
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess || device != handle->device) return CUBLAS_STATUS_EXECUTION_FAILED;
  QueueProductInParts(stream, a_layout->type, *product, alpha, a, b, beta, d,
                      algorithm.workspace > 0 ? workspace : nullptr);
  return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}
