// 16-bit floats as float, and back: what several kernels compute one after the other is rounded once.
#pragma once

#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

// What sums of a type are added up in: 16-bit floats as float.
DType WideType(DType type);
// `count` elements from `data` on in the wide type, in `scratch` if theirs is another: sums that are added up further
// are not to be rounded before.
const void* Widened(GpuContext& context, DType type, const void* data, int64_t count, Tensor& scratch);

// An output of the op's type that is computed in float.
class FloatOutput {
 public:
  FloatOutput(GpuContext& context, int output, const Shape& shape);
  // Its numbers, until they are rounded.
  Tensor& wide() { return wide_; }
  // Queues the rounding.
  void Round(GpuContext& context);

 private:
  Tensor out_, wide_;
};

}  // namespace plumb::fast::GPU_NAMESPACE
