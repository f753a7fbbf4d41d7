// TensorArrays as a whole: gather and scatter along a new first axis, concat and split along the first (TA5).
#pragma once

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

std::unique_ptr<Kernel> MakeTensorArrayGather(const Node& node);
std::unique_ptr<Kernel> MakeTensorArrayScatter(const Node& node);
std::unique_ptr<Kernel> MakeTensorArrayConcat(const Node& node);
std::unique_ptr<Kernel> MakeTensorArraySplit(const Node& node);

}  // namespace plumb::fast::cpu
