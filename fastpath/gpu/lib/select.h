// One of two values for each element.
#pragma once

#include "fastpath/gpu/gpu_context.h"
#include "fastpath/gpu/lib/walk.h"

namespace plumb::fast::GPU_NAMESPACE {

// Elements in the device's memory, whose type is known otherwise. They are not held.
struct SelectOperand {
  explicit SelectOperand(const Tensor& tensor) : data(tensor.raw()), elements(tensor.elements()) {}
  const void* data;
  int64_t elements;
};

// Queues out = t where the condition, of bools, holds, else e. Operand 0 of `choice` is the condition; those of
// `values` are t and e, in whose memory `out` may lie where that is walked through once.
void QueueSelect(GpuContext& context, const SelectOperand& condition, const Walk& choice, const SelectOperand& t,
                 const SelectOperand& e, const Walk& values, Tensor& out);

}  // namespace plumb::fast::GPU_NAMESPACE
