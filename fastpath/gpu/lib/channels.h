// Tensors seen as channels: [outer, channels, inner], where inner is 1 when the channels are the last dimension.
#pragma once

#include "fastpath/gpu/lib/reduce.h"

namespace plumb::fast::GPU_NAMESPACE {

struct ChannelView {
  int64_t outer = 1, channels = 1, inner = 1;

  // `channels_first`: dimension 1 holds the channels (NCHW, NCDHW), else the last one. kInvalidArgument for shapes that
  // have none.
  ChannelView(const Shape& shape, bool channels_first);
  // Elements of one channel.
  int64_t count() const { return outer * inner; }
  // Over all but the channels.
  FoldPlan FoldToChannels() const;
};

// Whether a node's data_format puts the channels before the other dimensions.
bool HasChannelsFirst(const Node& node);

}  // namespace plumb::fast::GPU_NAMESPACE
