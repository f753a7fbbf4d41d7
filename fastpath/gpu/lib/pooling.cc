#include "fastpath/gpu/lib/pooling.h"

namespace plumb::fast::GPU_NAMESPACE {

Pooling::Pooling(const Node& node, int space)
    : windows_(node, space), sizes_(IntsOfAxes(node, "ksize", windows_.axes())) {
  if (sizes_[0] != 1 || windows_.stride(0) != 1) throw Unimplemented("pooling over the batch");
  for (int axis = 0; axis < windows_.axes(); ++axis) {
    const int64_t padding = windows_.most_padding(axis);
    Require(size(axis) > 0 && windows_.stride(axis) > 0, "ksize and strides must be positive");
    Require(padding < size(axis), "with a padding of ", padding, ", windows of ", size(axis), " may hold no element");
  }
}

bool Pooling::IsOverChannels() const { return size(windows_.depth()) != 1 || windows_.stride(windows_.depth()) != 1; }

void Pooling::RefuseOverChannels() const {
  if (IsOverChannels()) throw Unimplemented("pooling over channels");
}

void Pooling::RefuseBlocks() const {
  const int64_t pixels = size(windows_.rows()) * size(windows_.columns());
  if (IsOverChannels() && pixels != 1) throw Unimplemented("pooling over channels and over the plane at once");
}

PoolingSize Pooling::SizeOf(const Shape& images) const {
  PoolingSize sizes;
  const ImageBatch from = sizes.from = windows_.BatchOf(images);
  const auto place = [&](int axis, int64_t input) { return windows_.Place(axis, input, size(axis)); };
  if (from.is_volume) sizes.planes = place(windows_.planes(), from.planes);
  sizes.rows = place(windows_.rows(), from.rows);
  sizes.columns = place(windows_.columns(), from.columns);
  const int64_t window = size(windows_.depth()), stride = windows_.stride(windows_.depth());
  if (IsOverChannels() && (window != stride || from.depth % window != 0)) {
    throw Unimplemented("windows of ", window, " channels, ", stride, " apart, do not divide ", from.depth);
  }
  sizes.channels = {from.depth, window, stride, 1, 0, from.depth / window};
  sizes.to = from.Resized(sizes.planes.output, sizes.rows.output, sizes.columns.output, sizes.channels.output);
  return sizes;
}

}  // namespace plumb::fast::GPU_NAMESPACE
