// The factories of the reduction family that are not plain folds.
#pragma once

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

std::unique_ptr<Kernel> MakeArgReducer(const Node& node);  // reduction_arg.cc: ArgMax, ArgMin
std::unique_ptr<Kernel> MakeTopK(const Node& node);        // reduction_topk.cc
std::unique_ptr<Kernel> MakeInTopK(const Node& node);
std::unique_ptr<Kernel> MakeUnsortedSegmentSum(const Node& node);  // reduction_segment.cc

}  // namespace plumb::fast::cpu
