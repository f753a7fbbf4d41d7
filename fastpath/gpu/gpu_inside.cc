#include "fastpath/gpu/gpu_inside.h"

namespace plumb::fast::GPU_NAMESPACE {

// For copies of what variables hold, which therefore may lie elsewhere afterwards.
Tensor GpuInside::New(DType dtype, const Shape& shape) const {
  TrafficWatch::Tell("copies the value of a variable");
  return device_.NewTensor(dtype, shape);
}

bool GpuInside::IsHere(const Tensor& held) const {
  return held.buffer() != nullptr && held.buffer()->space == device_.memory();
}

Tensor GpuInside::Held(const Tensor& seen) const {
  if (!IsOnHost(seen) || !seen.IsSet() || !IsPlain(seen.dtype())) return seen;
  return device_.Bring(seen);
}

void GpuInside::Copy(const Tensor& from, Tensor& to) const {
  if (IsHere(from)) {
    return device_.driver().CopyWithin(device_.kernels(), AddressOf(to), AddressOf(from), from.bytes());
  }
  const Tensor held = Held(from);
  device_.driver().CopyWithin(device_.kernels(), AddressOf(to), AddressOf(held), held.bytes());
}

void GpuInside::Clear(Tensor& tensor) const {
  if (tensor.bytes() == 0) return;
  Check(cudaSetDevice(device_.number()), "to choose a GPU");
  Check(cudaMemsetAsync(tensor.mutable_raw(), 0, tensor.bytes(), device_.stream()), "to clear memory");
}

}  // namespace plumb::fast::GPU_NAMESPACE
