// Products of matrices of float, some of whose sizes may be 0.
#pragma once

#include "fastpath/gpu/lib/gemm.h"

namespace plumb::fast::GPU_NAMESPACE {

// Queues the product, which goes into `out` from element `first` on; all of `out` is zero where there is nothing to
// sum.
inline void MultiplyFloats(GpuContext& context, const GemmSize& size, const GemmOperand& x, const GemmOperand& y,
                           Tensor& out, int64_t first = 0) {
  if (size.rows == 0 || size.columns == 0) return;
  if (size.inner == 0) return context.Clear(out);
  Gemm(context, DType::kFloat, size, x, y, static_cast<float*>(out.mutable_raw()) + first);
}

}  // namespace plumb::fast::GPU_NAMESPACE
