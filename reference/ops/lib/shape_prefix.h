// Tensors of rows: whose shape begins with that of their indices.
#pragma once

#include "reference/numbers/index.h"

namespace plumb::reference {

inline bool StartsWith(const Shape& shape, const Shape& prefix) {
  return shape.rank() >= prefix.rank() && Subshape(shape, 0, prefix.rank()) == prefix;
}

}  // namespace plumb::reference
