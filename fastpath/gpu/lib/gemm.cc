#include "fastpath/gpu/lib/gemm.h"

#include <cublas_v2.h>

#include <array>
#include <complex>
#include <limits>

#include "fastpath/gpu/runtime/cuda_driver.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

void CheckBlas(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw ResourceExhausted("cuBLAS has no memory ", what);
  throw Internal("cuBLAS refused ", what, ": status ", static_cast<int>(status));
}

// The library's state on one device. One thread at a time may use it.
struct Library {
  explicit Library(int device) {
    Check(cudaSetDevice(device), "to choose a GPU");
    CheckBlas(cublasCreate(&handle), "to begin");
  }
  // They live as long as the process, as the runtime's state of the devices does.
  static Library& On(int device) {
    static Mutex mutex;
    static std::array<Library*, 64> libraries{};
    MutexLock lock(mutex);
    Library*& library = libraries.at(static_cast<size_t>(device));
    if (library == nullptr) library = new Library(device);
    return *library;
  }

  Mutex mutex;
  cublasHandle_t handle PLUMB_GUARDED_BY(mutex) = nullptr;
};

struct GemmTypes {
  cudaDataType_t element;
  cublasComputeType_t compute;
};

GemmTypes TypesOf(DType type) {
  switch (type) {
    case DType::kHalf:
      return {CUDA_R_16F, CUBLAS_COMPUTE_32F};
    case DType::kBfloat16:
      return {CUDA_R_16BF, CUBLAS_COMPUTE_32F};
    case DType::kFloat:
      return {CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case DType::kDouble:
      return {CUDA_R_64F, CUBLAS_COMPUTE_64F};
    case DType::kComplex64:
      return {CUDA_C_32F, CUBLAS_COMPUTE_32F};
    case DType::kComplex128:
      return {CUDA_C_64F, CUBLAS_COMPUTE_64F};
    default:
      throw Internal("no product of matrices of ", DTypeName(type), " on a GPU");
  }
}

// One and zero, of the type that is computed in.
struct Scalars {
  explicit Scalars(DType type) {
    if (type == DType::kDouble) {
      real64 = {1, 0};
    } else if (type == DType::kComplex64) {
      complex32 = {1, 0};
    } else if (type == DType::kComplex128) {
      complex64 = {1, 0};
    } else {
      real32 = {1, 0};
    }
    const auto choose = [&](size_t i) -> const void* {
      if (type == DType::kDouble) return &real64[i];
      if (type == DType::kComplex64) return &complex32[i];
      if (type == DType::kComplex128) return &complex64[i];
      return &real32[i];
    };
    one = choose(0);
    zero = choose(1);
  }
  std::array<float, 2> real32{};
  std::array<double, 2> real64{};
  std::array<std::complex<float>, 2> complex32{};
  std::array<std::complex<double>, 2> complex64{};
  const void* one = nullptr;
  const void* zero = nullptr;
};

int Narrow(int64_t size) {
  if (size > std::numeric_limits<int>::max()) {
    throw Error(Code::kUnimplemented, Str("a GPU multiplies matrices of at most 2^31 - 1 rows, not of ", size));
  }
  return static_cast<int>(size);
}

cublasOperation_t OperationOf(const GemmOperand& operand) {
  if (!operand.is_transposed) return CUBLAS_OP_N;
  return operand.is_conjugated ? CUBLAS_OP_C : CUBLAS_OP_T;
}

}  // namespace

// The library counts columns first: what is a product x·y here is yᵀ·xᵀ there, in the same memory.
void Gemm(GpuContext& context, DType type, const GemmSize& size, const GemmOperand& x, const GemmOperand& y,
          void* out) {
  const auto [element, compute] = TypesOf(type);
  const Scalars scalars(type);
  const int x_row = Narrow(x.is_transposed ? size.rows : size.inner);
  const int y_row = Narrow(y.is_transposed ? size.inner : size.columns);
  Library& library = Library::On(context.device_number());
  MutexLock lock(library.mutex);
  CheckBlas(cublasSetStream(library.handle, context.stream()), "a stream");
  CheckBlas(
      cublasGemmStridedBatchedEx(library.handle, OperationOf(y), OperationOf(x), Narrow(size.columns),
                                 Narrow(size.rows), Narrow(size.inner), scalars.one, y.data, element, y_row, y.step,
                                 x.data, element, x_row, x.step, scalars.zero, out, element, Narrow(size.columns),
                                 size.rows * size.columns, Narrow(size.count), compute, CUBLAS_GEMM_DEFAULT),
      "a product");
}

}  // namespace plumb::fast::GPU_NAMESPACE
