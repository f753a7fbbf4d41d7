// Integers that the host computes with beside a device with memory of its own: shapes, sizes, counters, and whether one
// is less than another. TensorFlow's kernels of int32 for GPUs are the host's, with all arguments in its memory (W16).
#pragma once

#include "fastpath/device/device.h"

namespace plumb::fast {

// Whether values of this type are such numbers, or say something about them: int32 and bool.
bool IsOfHostValues(DType type);

// Whether the host's kernel may stand in for one of the GPU's: the node computes from int32 and bool alone and has no
// effects. Sums of products are no such numbers, whatever their type. Elements of lists are, if they are int32.
bool MayComputeOnHost(const Node& node);

// Attribute (bool) of nodes for which it does though GPUs have a kernel: all that they read lies on the host, and what
// they give is wanted there.
inline constexpr char kStaysOnHost[] = "_stays_on_host";

// Whether it does: the attribute says so, or GPUs have no kernel of their own for the node.
bool ComputesOnHost(const Node& node);

}  // namespace plumb::fast
