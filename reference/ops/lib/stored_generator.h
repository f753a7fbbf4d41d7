// Generators that a variable keeps (R88).
#pragma once

#include "reference/kernel/op_context.h"
#include "reference/numbers/philox.h"

namespace plumb::reference {

// The generator in the variable that input 0 names, as it stands; the variable's moves over `blocks`. `tags` numbers
// stand before the counter.
Philox TakeBlocks(OpContext& context, int64_t algorithm, uint64_t blocks, size_t tags = 0);

// The same, for so many outputs (R71), by the algorithm that input 1 names, or else the first number of the variable.
Philox StoredGenerator(OpContext& context, uint64_t outputs);
Philox TaggedGenerator(OpContext& context, uint64_t outputs);

}  // namespace plumb::reference
