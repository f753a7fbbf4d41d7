// The node that checks which device a call names (FN5).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fastpath/device/kernel.h"

namespace plumb::fast {

// From the name of a device, one string, nothing. Throws kInvalidArgument where it names none of `devices`. `call`
// is in messages.
std::shared_ptr<Kernel> MakeTargetKernel(const std::string& call, const std::vector<std::string>& devices);

}  // namespace plumb::fast
