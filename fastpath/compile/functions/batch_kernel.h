// The nodes around the body of a call on a batch (FN11): what pads its rows, and what cuts a result.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fastpath/device/kernel.h"

namespace plumb::fast {

// From values of one number of rows the same with copies of the first row behind, up to the next of the sizes
// `allowed`, or none where that is empty. Throws kInvalidArgument for more than `most` rows, and for `allowed` that
// does not ascend to it; it may end below where a batch `splits`, which is kUnimplemented. `call` is in messages.
std::shared_ptr<Kernel> MakePadKernel(const std::string& call, int64_t most, std::vector<int64_t> allowed, bool splits);

// From what the call was given, what its body was given, and a result of the body: the call's own rows of it. Throws
// kFailedPrecondition where the result has not as many rows as the body was given.
std::shared_ptr<Kernel> MakeCutKernel(const std::string& call);

}  // namespace plumb::fast
