// What the kernels of resource variables check alike.
#pragma once

#include "reference/kernel/op_context.h"

namespace plumb::reference {

inline void CheckVariableType(const HandleVariable& variable, DType wanted) {
  Require(variable.dtype() == wanted, "the resource variable holds ", DTypeName(variable.dtype()), ", not ",
          DTypeName(wanted));
}

}  // namespace plumb::reference
