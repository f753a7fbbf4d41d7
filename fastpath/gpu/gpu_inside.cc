#include "fastpath/gpu/gpu_inside.h"

namespace plumb::fast::GPU_NAMESPACE {

bool GpuInside::IsHere(const Tensor& held) const {
  return held.buffer() != nullptr && held.buffer()->space == device_.memory();
}

// Waits: the host's memory may be gone when the copy comes to its turn.
Tensor GpuInside::Held(const Tensor& seen) const {
  if (!IsOnHost(seen) || !seen.IsSet() || !IsPlain(seen.dtype())) return seen;
  Tensor held = device_.NewTensor(seen.dtype(), seen.shape());
  device_.driver().CopyToDevice(device_.kernels(), AddressOf(held), seen.raw(), seen.bytes());
  if (const Status status = device_.driver().Synchronize(device_.kernels()); !status.ok()) throw Error(status);
  return held;
}

void GpuInside::Copy(const Tensor& from, Tensor& to) const {
  if (IsHere(from)) {
    return device_.driver().CopyWithin(device_.kernels(), AddressOf(to), AddressOf(from), from.bytes());
  }
  const Tensor held = Held(from);
  device_.driver().CopyWithin(device_.kernels(), AddressOf(to), AddressOf(held), held.bytes());
}

}  // namespace plumb::fast::GPU_NAMESPACE
