#include "fastpath/gpu/lib/blas_library.h"

#include <array>

#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

// What an algorithm may work in, as NVIDIA advises for its largest cards.
constexpr uint64_t kWorkspace = uint64_t{32} << 20;

void CheckBlas(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw ResourceExhausted("cuBLAS has no memory ", what);
  throw Internal("cuBLAS refused ", what, ": status ", static_cast<int>(status));
}

template <class T>
void Set(cublasLtMatmulDesc_t operation, cublasLtMatmulDescAttributes_t attribute, const T& value) {
  CheckBlas(cublasLtMatmulDescSetAttribute(operation, attribute, &value, sizeof value), "to describe a product");
}
template <class T>
void Set(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute, const T& value) {
  CheckBlas(cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof value), "to describe a matrix");
}
template <class T>
void Set(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute, const T& value) {
  CheckBlas(cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof value), "to say what to prefer");
}

}  // namespace

BlasPlan::BlasPlan(cublasLtHandle_t library, const BlasProduct& product)
    : library_(library), operation_(OperationOf(product)) {
  const bool a_plain = product.a_op == CUBLAS_OP_N, b_plain = product.b_op == CUBLAS_OP_N;
  const auto layout = [&](int64_t rows, int64_t columns, int64_t column, int64_t step) {
    return LayoutOf(product.element, rows, columns, column, product.batch, step);
  };
  a_ = layout(a_plain ? product.m : product.k, a_plain ? product.k : product.m, product.a_column, product.a_step);
  b_ = layout(b_plain ? product.k : product.n, b_plain ? product.n : product.k, product.b_column, product.b_step);
  c_ = layout(product.m, product.n, product.m, product.m * product.n);
  Choose(product);
}

BlasPlan::Operation BlasPlan::OperationOf(const BlasProduct& product) {
  cublasLtMatmulDesc_t made = nullptr;
  CheckBlas(cublasLtMatmulDescCreate(&made, product.compute, product.scale), "to describe a product");
  Operation operation(made);
  Set(made, CUBLASLT_MATMUL_DESC_TRANSA, static_cast<int32_t>(product.a_op));
  Set(made, CUBLASLT_MATMUL_DESC_TRANSB, static_cast<int32_t>(product.b_op));
  return operation;
}

BlasPlan::Layout BlasPlan::LayoutOf(cudaDataType_t element, int64_t rows, int64_t columns, int64_t column,
                                    int64_t batch, int64_t step) {
  cublasLtMatrixLayout_t made = nullptr;
  CheckBlas(
      cublasLtMatrixLayoutCreate(&made, element, static_cast<uint64_t>(rows), static_cast<uint64_t>(columns), column),
      "to describe a matrix");
  Layout layout(made);
  Set(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<int32_t>(batch));
  Set(made, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, step);
  return layout;
}

// Sums of parts are kept in the type that is computed in, never in 16 bits; products of complex numbers have four
// products of their parts, never three, which lose what cancels.
BlasPlan::Preference BlasPlan::PreferenceOf(const BlasProduct& product) {
  cublasLtMatmulPreference_t made = nullptr;
  CheckBlas(cublasLtMatmulPreferenceCreate(&made), "to say what to prefer");
  Preference preference(made);
  Set(made, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kWorkspace);
  Set(made, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, static_cast<uint32_t>(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
  Set(made, CUBLASLT_MATMUL_PREF_IMPL_MASK, ~uint64_t{CUBLASLT_NUMERICAL_IMPL_FLAGS_GAUSSIAN});
  Set(made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, product.a_alignment);
  Set(made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, product.b_alignment);
  Set(made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, product.c_alignment);
  Set(made, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, product.c_alignment);
  return preference;
}

void BlasPlan::Choose(const BlasProduct& product) {
  const Preference preference = PreferenceOf(product);
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(library_, operation_.get(), a_.get(), b_.get(), c_.get(),
                                                               c_.get(), preference.get(), 1, &best, &found);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED || (status == CUBLAS_STATUS_SUCCESS && found == 0)) {
    throw Error(Code::kUnimplemented, Str("cuBLAS has no algorithm for ", product.batch, " products of [", product.n,
                                          ", ", product.k, "] and [", product.k, ", ", product.m, "] on this GPU"));
  }
  CheckBlas(status, "to choose an algorithm");
  CheckBlas(best.state, "the algorithm that it chose");
  algorithm_ = best.algo;
  workspace_ = best.workspaceSize;
}

void BlasPlan::Queue(const void* one, const void* a, const void* b, const void* zero, void* c, void* workspace,
                     cudaStream_t stream) const {
  CheckBlas(cublasLtMatmul(library_, operation_.get(), one, a, a_.get(), b, b_.get(), zero, c, c_.get(), c, c_.get(),
                           &algorithm_, workspace, workspace_, stream),
            "a product");
}

BlasLibrary::BlasLibrary(int device) {
  Check(cudaSetDevice(device), "to choose a GPU");
  CheckBlas(cublasLtCreate(&handle_), "to begin");
}

BlasLibrary& BlasLibrary::On(int device) {
  static Mutex mutex;
  static std::array<BlasLibrary*, 64> libraries{};
  MutexLock lock(mutex);
  BlasLibrary*& library = libraries.at(static_cast<size_t>(device));
  if (library == nullptr) library = new BlasLibrary(device);
  return *library;
}

std::shared_ptr<const BlasPlan> BlasLibrary::PlanOf(const BlasProduct& product) {
  MutexLock lock(mutex_);
  const auto found = plans_.find(product);
  if (found != plans_.end()) return found->second;
  if (plans_.size() >= kMostPlans) plans_.clear();
  auto plan = std::make_shared<const BlasPlan>(handle_, product);
  plans_.emplace(product, plan);
  return plan;
}

}  // namespace plumb::fast::GPU_NAMESPACE
