// The nodes that count the turns of a loop which counts by itself (FN7).
#pragma once

#include <memory>
#include <string>

#include "fastpath/device/kernel.h"

namespace plumb::fast {

// From start, limit and delta, int32 scalars: how many turns there are, an int64. Throws kInvalidArgument where steps
// of delta do not lead from start to limit. `call` is in messages.
std::shared_ptr<Kernel> MakeTurnsKernel(const std::string& call);

// From where the loop is, the turns that are left, and delta: where it is next, and the turns left then.
std::shared_ptr<Kernel> MakeNextTurnKernel();

}  // namespace plumb::fast
