#include "fastpath/device/brought_here.h"

#include "fastpath/device/device.h"
#include "fastpath/device/variable_buffer.h"
#include "fastpath/memory/queued_inside.h"

namespace plumb::fast {

bool IsHeldHere(const Tensor& held) {
  const Inside* const inside = Inside::Current();
  return inside == nullptr ? IsOnHost(held) : inside->IsHere(held);
}

Tensor LockedOnHost(const Tensor& held) {
  return IsOnHost(held) ? held : static_cast<const DeviceMemory*>(held.buffer()->space)->CopyLockedToHost(held);
}

Tensor BroughtHere(const Tensor& held) {
  if (!held.IsSet() || !IsPlain(held.dtype()) || IsHeldHere(held)) return held;
  return HeldOf(LockedOnHost(held));
}

Tensor ToReadOnHost(const Tensor& held) {
  if (IsOnHost(held)) return held;
  const bool follows = Inside::Current() != nullptr && QueuedInside::Current() == nullptr;
  if (!follows) return static_cast<const DeviceMemory*>(held.buffer()->space)->CopyToHost(held);
  Tensor copy(held.dtype(), held.shape());
  CopyElements(SeenHere(held), copy);
  return copy;
}

Tensor ToSave(const Tensor& held) { return held.is_alias() || !IsOnHost(held) ? CopyOf(held) : held; }

}  // namespace plumb::fast
