#include "fastpath/gpu/lib/gemm.h"

#include <algorithm>
#include <array>
#include <complex>
#include <limits>

#include "fastpath/gpu/gpu_device.h"
#include "fastpath/gpu/lib/blas_library.h"
#include "fastpath/gpu/lib/dnn/dnn_engines.h"
#include "fastpath/gpu/runtime/cuda_driver.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

struct GemmTypes {
  cudaDataType_t element;
  cublasComputeType_t compute;
  cudaDataType_t scale;
};

GemmTypes TypesOf(DType type, bool takes_tf32) {
  const cublasComputeType_t of_floats = takes_tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
  switch (type) {
    case DType::kHalf:
      return {CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F};
    case DType::kBfloat16:
      return {CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F};
    case DType::kFloat:
      return {CUDA_R_32F, of_floats, CUDA_R_32F};
    case DType::kDouble:
      return {CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F};
    case DType::kComplex64:
      return {CUDA_C_32F, of_floats, CUDA_C_32F};
    case DType::kComplex128:
      return {CUDA_C_64F, CUBLAS_COMPUTE_64F, CUDA_C_64F};
    default:
      throw Internal("no product of matrices of ", DTypeName(type), " on a GPU");
  }
}

// One and zero, of the type that is computed in. The library reads a complex number of doubles as one word of 16 bytes.
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
  alignas(16) std::array<std::complex<double>, 2> complex64{};
  const void* one = nullptr;
  const void* zero = nullptr;
};

void CheckSizes(const GemmSize& size) {
  for (const int64_t extent : {size.rows, size.columns, size.inner, size.count}) {
    if (extent > std::numeric_limits<int>::max()) {
      throw Error(Code::kUnimplemented, Str("a GPU multiplies matrices of at most 2^31 - 1 rows, not of ", extent));
    }
  }
}

cublasOperation_t OperationOf(const GemmOperand& operand) {
  if (!operand.is_transposed) return CUBLAS_OP_N;
  return operand.is_conjugated ? CUBLAS_OP_C : CUBLAS_OP_T;
}

// The largest power of two that the address is a multiple of, of those that an algorithm asks for.
uint32_t AlignmentOf(const void* address) {
  const auto bits = reinterpret_cast<uintptr_t>(address);
  return static_cast<uint32_t>(std::min(bits & (~bits + 1), uintptr_t{16}));
}

// The library counts columns first: what is a product x·y here is yᵀ·xᵀ there, in the same memory.
BlasProduct ProductOf(const GemmTypes& types, const GemmSize& size, const GemmOperand& x, const GemmOperand& y,
                      const void* out) {
  const auto [element, compute, scale] = types;
  return {.element = element,
          .compute = compute,
          .scale = scale,
          .a_op = OperationOf(y),
          .b_op = OperationOf(x),
          .m = size.columns,
          .n = size.rows,
          .k = size.inner,
          .batch = size.count,
          .a_column = y.is_transposed ? size.inner : size.columns,
          .b_column = x.is_transposed ? size.rows : size.inner,
          .a_step = y.step,
          .b_step = x.step,
          .a_alignment = AlignmentOf(y.data),
          .b_alignment = AlignmentOf(x.data),
          .c_alignment = AlignmentOf(out)};
}

// The library takes fewer than 2^16 products in one call.
constexpr int64_t kProductsAtOnce = int64_t{1} << 15;
constinit ChoicePoint products_in_parts("products of matrices on GPUs: in one call, or in several");

const void* Behind(const void* data, int64_t elements, DType type) {
  return static_cast<const char*>(data) + elements * static_cast<int64_t>(ElementSize(type));
}

void QueueProducts(GpuContext& context, DType type, const GemmSize& size, const GemmOperand& x, const GemmOperand& y,
                   void* out) {
  const GemmTypes types = TypesOf(type, context.device().dnn().takes_tf32());
  const auto plan = BlasLibrary::On(context.device_number()).PlanOf(ProductOf(types, size, x, y, out));
  Tensor workspace;
  if (plan->workspace() > 0) {
    workspace = context.Scratch(DType::kUint8, Shape({static_cast<int64_t>(plan->workspace())}));
  }
  const Scalars scalars(type);
  plan->Queue(scalars.one, y.data, x.data, scalars.zero, out, workspace.IsSet() ? workspace.mutable_raw() : nullptr,
              context.stream());
}

}  // namespace

void Gemm(GpuContext& context, DType type, const GemmSize& size, const GemmOperand& x, const GemmOperand& y,
          void* out) {
  CheckSizes(size);
  const int64_t elements = size.rows * size.columns * size.count;
  if (elements == 0) return;
  if (size.inner == 0) {  // sums of nothing
    const size_t bytes = static_cast<size_t>(elements) * ElementSize(type);
    return Check(cudaMemsetAsync(out, 0, bytes, context.stream()), "to clear a product");
  }
  const int64_t at_once = products_in_parts.Chosen(size.count > kProductsAtOnce) ? kProductsAtOnce : size.count;
  for (int64_t first = 0; first < size.count; first += at_once) {
    GemmSize part = size;
    part.count = std::min(at_once, size.count - first);
    GemmOperand x_part = x, y_part = y;
    x_part.data = Behind(x.data, first * x.step, type);
    y_part.data = Behind(y.data, first * y.step, type);
    QueueProducts(context, type, part, x_part, y_part,
                  static_cast<char*>(out) + first * size.rows * size.columns * static_cast<int64_t>(ElementSize(type)));
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE
