// Products of matrices by cuBLASLt: which algorithm computes which product.
#pragma once

#include <cublasLt.h>

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <type_traits>

#include "spec/core/thread_annotations.h"

namespace plumb::fast::GPU_NAMESPACE {

// A product as the library takes it, with columns first: `batch` matrices c of m rows and n columns, of op(a)·op(b).
struct BlasProduct {
  cudaDataType_t element;
  cublasComputeType_t compute;
  cudaDataType_t scale;  // the type of the factor of the product
  cublasOperation_t a_op, b_op;
  int64_t m, n, k, batch;
  int64_t a_column, b_column;                      // elements from one column of the operand to the next
  int64_t a_step, b_step;                          // elements from one matrix to the next; 0: the same one each time
  uint32_t a_alignment, b_alignment, c_alignment;  // bytes

  auto operator<=>(const BlasProduct&) const = default;
};

// How the library computes one product: its descriptions, and the algorithm that was chosen for them.
class BlasPlan {
 public:
  // Throws kUnimplemented where the library has no algorithm.
  BlasPlan(cublasLtHandle_t library, const BlasProduct& product);

  // Bytes that the algorithm works in, aligned to 256.
  size_t workspace() const { return workspace_; }
  // Queues c = factor · a · b. `one` and `zero` are of the product's scale.
  void Queue(const void* one, const void* a, const void* b, const void* zero, void* c, void* workspace,
             cudaStream_t stream) const;

 private:
  template <auto kDestroy>
  struct Destroyer {
    template <class T>
    void operator()(T* description) const {
      kDestroy(description);
    }
  };
  using Operation = std::unique_ptr<std::remove_pointer_t<cublasLtMatmulDesc_t>, Destroyer<cublasLtMatmulDescDestroy>>;
  using Layout = std::unique_ptr<std::remove_pointer_t<cublasLtMatrixLayout_t>, Destroyer<cublasLtMatrixLayoutDestroy>>;
  using Preference =
      std::unique_ptr<std::remove_pointer_t<cublasLtMatmulPreference_t>, Destroyer<cublasLtMatmulPreferenceDestroy>>;

  static Operation OperationOf(const BlasProduct& product);
  static Layout LayoutOf(cudaDataType_t element, int64_t rows, int64_t columns, int64_t column, int64_t batch,
                         int64_t step);
  static Preference PreferenceOf(const BlasProduct& product);
  void Choose(const BlasProduct& product);

  cublasLtHandle_t library_;
  Operation operation_;
  Layout a_, b_, c_;
  cublasLtMatmulAlgo_t algorithm_{};
  size_t workspace_ = 0;
};

// The library on one device.
class BlasLibrary {
 public:
  // Lives as long as the process, as the runtime's state of the devices does.
  static BlasLibrary& On(int device);

  // The same plan each time, chosen at the first; the library is not asked again.
  std::shared_ptr<const BlasPlan> PlanOf(const BlasProduct& product);

 private:
  explicit BlasLibrary(int device);

  // A program whose shapes never repeat keeps no more plans than these: then all are forgotten.
  static constexpr size_t kMostPlans = 4096;

  cublasLtHandle_t handle_ = nullptr;
  Mutex mutex_;
  std::map<BlasProduct, std::shared_ptr<const BlasPlan>> plans_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::GPU_NAMESPACE
