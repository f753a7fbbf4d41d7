// The kernels of TensorArrays, for ops of all versions: they take and give the handles that a signature asks for (TA9).
#pragma once

#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

std::unique_ptr<Kernel> MakeTensorArray(const Node& node);
std::unique_ptr<Kernel> MakeTensorArrayGrad(const Node& node);
std::unique_ptr<Kernel> MakeTensorArrayWrite(const Node& node);
std::unique_ptr<Kernel> MakeTensorArrayRead(const Node& node);
std::unique_ptr<Kernel> MakeTensorArraySize(const Node& node);
std::unique_ptr<Kernel> MakeTensorArrayClose(const Node& node);

// TensorArrays as a whole: gather and scatter along a new first axis, concat and split along the first (TA5).
std::unique_ptr<Kernel> MakeTensorArrayGather(const Node& node);
std::unique_ptr<Kernel> MakeTensorArrayScatter(const Node& node);
std::unique_ptr<Kernel> MakeTensorArrayConcat(const Node& node);
std::unique_ptr<Kernel> MakeTensorArraySplit(const Node& node);
// Gather of all elements, or of those that an array was unpacked into, and Scatter of all rows.
std::unique_ptr<Kernel> MakeTensorArrayPack(const Node& node);
std::unique_ptr<Kernel> MakeTensorArrayUnpack(const Node& node);

}  // namespace plumb::fast::cpu
