// Values that were left in the memory of one device and are wanted by a kernel of another, or of the host.
#pragma once

#include "spec/core/tensor.h"

namespace plumb::fast {

// Whether what the host holds lies where this thread runs.
bool IsHeldHere(const Tensor& held);
// Of what is held under a lock that the caller has, in the host's memory.
Tensor LockedOnHost(const Tensor& held);
// The same where this thread runs, as the host holds it: itself, if it lies there or is no number.
Tensor BroughtHere(const Tensor& held);

// On the host, to be read and kept there: itself, or a copy of what lies where this thread runs.
Tensor ToReadOnHost(const Tensor& held);

// As it is now, where the host may read it: a copy of what may change, or lies on a device.
Tensor ToSave(const Tensor& held);

}  // namespace plumb::fast
