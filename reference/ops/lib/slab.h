// Slabs of a tensor: all of it along the other axes, some of it along one.
#pragma once

#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

// Copies all of `piece` into the slab of the result that starts at `offset` along `axis`.
void CopyIn(Assembly& result, const Shape& shape, int axis, int64_t offset, const Value& piece);
// A copy of the slab of `size` that starts at `offset`.
Value CopyOut(const Value& value, int axis, int64_t offset, int64_t size);
// The same for ops that hand rows on where they may (rule R31): of an alias, then, an alias.
Value PieceOf(const Value& value, int axis, int64_t offset, int64_t size);

}  // namespace plumb::reference
