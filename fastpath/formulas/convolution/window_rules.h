// Windows over images and volumes, and those of dilation: what kernels refuse of nodes and shapes. The codes are those
// of TensorFlow's kernels.
#pragma once

#include <array>
#include <string_view>

#include "spec/graph/graph.h"

namespace plumb::fast {

// What is asked of the sizes of a node that pools images when its kernel is made, and what first: each of TensorFlow's
// kernels asks otherwise.
enum class SizeChecks {
  kBatch,           // the batch is not pooled
  kBatchThenSizes,  // nor is any window without a size
  kSizesThenBatch,
  kBatchThenDepth,  // nor are channels
};
// Of a node whose ksize and strides have four entries each.
void CheckPooling(const Node& node, SizeChecks checks);
// What a kernel says that does not pool so. TensorFlow takes NCHW for a wrong argument, however its windows lie.
Error UnsupportedPooling(const Node& node, std::string_view what);
// The channels that windows leave of these. Windows over channels tile them, and are one pixel wide and high; a window
// of one channel covers one, and its stride says nothing.
int64_t PooledChannels(const Node& node, int64_t channels);

// A list attribute with one entry for each dimension of a batch of volumes.
std::array<int64_t, 5> FiveInts(const Node& node, std::string_view attr);
// Whether data_format is NCDHW, else NDHWC.
bool HasVolumeChannelsFirst(const Node& node);

// Windows over batch or channels are not supported; of NCDHW they are kInvalidArgument, as everything of this format is
// on TensorFlow's CPUs. `sizes_first`: whether sizes that are not positive are refused before.
void CheckVolumePooling(const Node& node, bool sizes_first);

void CheckVolumeConvolution(const Node& node);
// `channels` of the volumes.
void CheckVolumeFilter(int64_t channels, const Shape& filter);
// Conv3D refuses an empty filter. Its gradients take one that is for channels, where no more than one is missing of the
// places of the window, those of the output, and the channels of the output, or the volumes are empty.
void CheckHasWeights(const Shape& filter);
void CheckGradientWeights(const Shape& volumes, const Shape& filter, const std::array<int64_t, 3>& output);

void CheckDilation(const Node& node);
void CheckDilated(const Shape& images, const Shape& filter);

}  // namespace plumb::fast
