#include "fastpath/gpu/lib/pooling.h"

#include <algorithm>

namespace plumb::fast::GPU_NAMESPACE {

Pooling::Pooling(const Node& node, int space)
    : node_(node), windows_(node, space), sizes_(IntsOfAxes(node, "ksize", windows_.axes())) {}

Pooling::Pooling(const Node& node, SizeChecks checks) : Pooling(node, 2) {
  CheckPooling(node, checks);
  for (int axis = 0; axis < windows_.axes(); ++axis) {
    const int64_t padding = windows_.most_padding(axis);
    Require(padding == 0 || padding < size(axis), "with a padding of ", padding, ", windows of ", size(axis),
            " may hold no element");
  }
}

Pooling::Pooling(const Node& node, bool sizes_first) : Pooling(node, 3) { CheckVolumePooling(node, sizes_first); }

void Pooling::RefuseOverChannels() const {
  if (IsOverChannels()) throw UnsupportedPooling(node_, "pooling over channels");
}

// As many windows of a size below one fit into VALID padding as if the image were that much larger.
WindowAxis Pooling::AxisOf(int axis, int64_t input) const {
  const int64_t window = size(axis), more = windows_.padding() == Padding::kValid ? -std::min<int64_t>(window, 0) : 0;
  WindowAxis placed = windows_.Place(axis, input + more, std::max<int64_t>(window, 0));
  placed.input = input;
  return placed;
}

PoolingSize Pooling::SizeOf(const Shape& images, bool may_be_empty) const {
  PoolingSize sizes;
  const ImageBatch from = sizes.from = windows_.BatchOf(images);
  const int64_t channels = from.is_volume ? from.depth : PooledChannels(node_, from.depth);
  const int64_t window = from.is_volume ? 1 : size(windows_.depth());
  sizes.channels = {from.depth, window, window, 1, 0, channels};
  const bool are_checked = !may_be_empty || windows_.padding() == Padding::kExplicit;
  for (const int axis : {windows_.rows(), windows_.columns()}) {
    Require((size(axis) > 0 || !are_checked) && windows_.stride(axis) > 0, "windows of the size ", size(axis), ", ",
            windows_.stride(axis), " apart");
  }
  if (from.is_volume) sizes.planes = AxisOf(windows_.planes(), from.planes);
  sizes.rows = AxisOf(windows_.rows(), from.rows);
  sizes.columns = AxisOf(windows_.columns(), from.columns);
  sizes.to = from.Resized(sizes.planes.output, sizes.rows.output, sizes.columns.output, channels);
  return sizes;
}

}  // namespace plumb::fast::GPU_NAMESPACE
