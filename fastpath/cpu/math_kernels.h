// The factories of the math family that are not plain elementwise kernels.
#pragma once

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

std::unique_ptr<Kernel> MakeSelect(const Node& node);
std::unique_ptr<Kernel> MakeCast(const Node& node);
std::unique_ptr<Kernel> MakeAddN(const Node& node);  // AccumulateNV2 too

}  // namespace plumb::fast::cpu
