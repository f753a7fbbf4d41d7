// Quantised element types.
#pragma once

#include "spec/core/dtype.h"

namespace plumb {

template <class Storage, DType kType>
constexpr DType StorageTypeOf(TypeTag<Quantized<Storage, kType>> /*tag*/) {
  return DTypeOf<Storage>;
}

// The integer type that stores elements of a quantised one; other types store themselves.
inline DType StorageType(DType type) {
  if (!IsQuantized(type)) return type;
  return VisitType(type, [type](auto tag) {
    if constexpr (requires { StorageTypeOf(tag); }) return StorageTypeOf(tag);
    return type;
  });
}

}  // namespace plumb
