// Between the 16-bit floating-point types and float, in bulk. Kernels compute in float and round once.
#pragma once

#include <algorithm>

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

inline bool IsHalfWidth(DType type) { return type == DType::kHalf || type == DType::kBfloat16; }

// `type` is half or bfloat16. Conversion to float is exact, from float to nearest even.
void ToFloat(DType type, const void* from, float* to, int64_t n);
void FromFloat(DType type, const float* from, void* to, int64_t n);
// The upper 16 bits of each, which is to bfloat16 without rounding.
void Truncate(const float* from, BFloat16* to, int64_t n);

// The same for tensors, on the pool. AsFloat gives a float tensor back as it is.
Tensor AsFloat(ThreadPool& pool, const Tensor& tensor);
void RoundInto(ThreadPool& pool, const Tensor& from, Tensor& to);
// What was computed for elements of `type`, rounded to them once; as it is where no other type was computed in.
Tensor RoundedTo(ThreadPool& pool, DType type, Tensor computed);

// The type that values of `type` are computed in.
inline DType ComputeType(DType type) { return IsHalfWidth(type) ? DType::kFloat : type; }
// Calls compute(TypeTag<T>()) with it, for a floating-point type.
template <class F>
void VisitComputeType(DType type, const F& compute) {
  if (type == DType::kDouble) {
    compute(TypeTag<double>());
  } else {
    compute(TypeTag<float>());
  }
}

// Pieces in which 16-bit operands pass through float buffers on the stack.
constexpr int64_t kFloatPiece = 512;

}  // namespace plumb::fast::cpu
