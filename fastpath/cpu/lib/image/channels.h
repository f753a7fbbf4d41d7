// Tensors seen as channels: [outer, channels, inner], where inner is 1 when the channels are the last dimension.
#pragma once

#include "fastpath/cpu/lib/dispatch.h"

namespace plumb::fast::cpu {

struct ChannelView {
  int64_t outer = 1, channels = 1, inner = 1;

  // `channels_first`: dimension 1 holds the channels (NCHW, NCDHW), else the last one. rank >= 2.
  ChannelView(const Shape& shape, bool channels_first) {
    const int axis = channels_first ? 1 : shape.rank() - 1;
    outer = ElementsIn(shape, 0, axis);
    channels = shape[axis];
    inner = ElementsIn(shape, axis + 1, shape.rank());
  }
  // Elements of one channel, and of one step along `outer`.
  int64_t count() const { return outer * inner; }
  int64_t step() const { return channels * inner; }
};

// Whether a node's data_format puts the channels before the other dimensions.
inline bool ChannelsFirst(const Node& node) {
  return GetAttrOr<std::string>(node.attrs, "data_format", "NHWC").starts_with("NC");
}

}  // namespace plumb::fast::cpu
