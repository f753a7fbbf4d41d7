#include "fastpath/gpu/lib/channels.h"

#include <string>

namespace plumb::fast::GPU_NAMESPACE {

ChannelView::ChannelView(const Shape& shape, bool channels_first) {
  Require(shape.rank() >= 2, "channels need at least 2 dimensions, not the shape ", shape.ToString());
  const int own = channels_first ? 1 : shape.rank() - 1;
  channels = shape[own];
  for (int axis = 0; axis < own; ++axis) outer *= shape[axis];
  for (int axis = own + 1; axis < shape.rank(); ++axis) inner *= shape[axis];
}

FoldPlan ChannelView::FoldToChannels() const { return PlanFold(Shape{outer, channels, inner}, {true, false, true}); }

bool HasChannelsFirst(const Node& node) {
  return GetAttrOr<std::string>(node.attrs, "data_format", "NHWC").starts_with("NC");
}

}  // namespace plumb::fast::GPU_NAMESPACE
