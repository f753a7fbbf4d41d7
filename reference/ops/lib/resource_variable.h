// What the kernels of resource variables check alike.
#pragma once

#include "reference/op_context.h"

namespace plumb::reference {

inline void CheckVariableType(const Slot& slot, DType wanted) {
  Require(slot.dtype == wanted, "the resource variable holds ", DTypeName(slot.dtype), ", not ", DTypeName(wanted));
}

}  // namespace plumb::reference
