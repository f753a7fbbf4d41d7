// An input's elements in memory that a kernel may change.
#pragma once

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/strided_copy.h"

namespace plumb::fast::cpu {

// The input's own tensor, where this kernel is its last user (rule O11), else a copy. It is the output.
inline Tensor& OwnedCopy(KernelContext& context, int input, int output) {
  const DType type = context.input(input).dtype();
  const Shape shape = context.input(input).shape();
  if (Tensor* const own = context.TryForward(input, output, type, shape)) return *own;
  const Tensor& from = context.input(input);
  Tensor& to = context.AllocateOutput(output, type, shape);
  if (shape.elements() > 0) {
    CopyPlan whole;
    whole.Append(shape.elements(), 1, 1);
    CopyStrided(context.pool(), type, whole, from.raw(), to.mutable_raw());
  }
  return to;
}

}  // namespace plumb::fast::cpu
