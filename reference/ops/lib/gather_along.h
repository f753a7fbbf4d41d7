// Rows taken by index, from a tensor or from the value of a variable.
#pragma once

#include "reference/numbers/value.h"

namespace plumb::reference {

// output[b…, o…, i…, r…] = params[b…, o…, indices[b…, i…], r…]
Value GatherAlong(const Value& params, const Tensor& indices, int64_t axis, int64_t batch_dims);

}  // namespace plumb::reference
