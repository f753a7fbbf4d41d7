// The kernel that says which function of a node runs (clause FN7).
#pragma once

#include <memory>
#include <string>

#include "fastpath/device/kernel.h"

namespace plumb::fast {

// What says which branch runs.
enum class BranchBy {
  kIndex,
  kCondition,
  kScalarCondition,  // kInvalidArgument where it has dimensions
};

// From the condition, the index or a loop's condition: one bool for each branch, true for the one that runs. One
// branch: whether it runs. `call` names the node in messages.
std::shared_ptr<Kernel> MakeBranchKernel(const std::string& call, size_t branches, BranchBy by);

}  // namespace plumb::fast
