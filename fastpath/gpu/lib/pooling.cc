#include "fastpath/gpu/lib/pooling.h"

namespace plumb::fast::GPU_NAMESPACE {

Pooling::Pooling(const Node& node) : windows_(node), sizes_(FourInts(node, "ksize")) {
  if (sizes_[0] != 1 || windows_.stride(0) != 1) throw Unimplemented("pooling over the batch");
  for (int axis = 0; axis < 4; ++axis) {
    const int64_t size = sizes_.at(static_cast<size_t>(axis)), padding = windows_.most_padding(axis);
    Require(size > 0 && windows_.stride(axis) > 0, "ksize and strides must be positive");
    Require(padding < size, "with a padding of ", padding, ", windows of ", size, " may hold no element");
  }
}

bool Pooling::IsOverChannels() const {
  return sizes_.at(static_cast<size_t>(windows_.depth())) != 1 || windows_.stride(windows_.depth()) != 1;
}

void Pooling::RefuseOverChannels() const {
  if (IsOverChannels()) throw Unimplemented("pooling over channels");
}

void Pooling::RefuseBlocks() const {
  const int64_t pixels =
      sizes_.at(static_cast<size_t>(windows_.rows())) * sizes_.at(static_cast<size_t>(windows_.columns()));
  if (IsOverChannels() && pixels != 1) throw Unimplemented("pooling over channels and over the plane at once");
}

PoolingSize Pooling::SizeOf(const Shape& images) const {
  PoolingSize size;
  size.from = windows_.BatchOf(images);
  const auto place = [&](int axis, int64_t input) {
    return windows_.Place(axis, input, sizes_.at(static_cast<size_t>(axis)));
  };
  size.rows = place(windows_.rows(), size.from.rows);
  size.columns = place(windows_.columns(), size.from.columns);
  const int64_t window = sizes_.at(static_cast<size_t>(windows_.depth())), stride = windows_.stride(windows_.depth());
  if (IsOverChannels() && (window != stride || size.from.depth % window != 0)) {
    throw Unimplemented("windows of ", window, " channels, ", stride, " apart, do not divide ", size.from.depth);
  }
  size.channels = {size.from.depth, window, stride, 1, 0, size.from.depth / window};
  size.to = {size.from.images, size.rows.output, size.columns.output, size.channels.output, size.from.channels_first};
  return size;
}

}  // namespace plumb::fast::GPU_NAMESPACE
