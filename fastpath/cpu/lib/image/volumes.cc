#include "fastpath/cpu/lib/image/volumes.h"

#include "fastpath/cpu/lib/printed.h"

namespace plumb::fast::cpu {

VolumeAttrs::VolumeAttrs(const Node& node)
    : strides(FiveInts(node, "strides")),
      dilations{1, 1, 1, 1, 1},
      padding(PaddingOf(node)),
      channels_first(HasVolumeChannelsFirst(node)) {
  if (node.attrs.contains("dilations")) dilations = FiveInts(node, "dilations");
}

VolumeAxes VolumeAttrs::Place(const Shape& volume, const std::array<int64_t, 3>& windows) const {
  VolumeAxes axes;
  for (int i = 0; i < 3; ++i) {
    const int axis = space(i);
    axes[i] = Placed(
        {.input = volume[1 + i], .window = windows[i], .stride = strides[axis], .dilation = dilations[axis]}, padding);
  }
  return axes;
}

Shape ToNdhwc(const Shape& shape, bool channels_first) {
  Require(shape.rank() == 5, "a batch of volumes has 5 dimensions, not the shape ", Printed(shape));
  return channels_first ? Shape{shape[0], shape[2], shape[3], shape[4], shape[1]} : shape;
}
Shape FromNdhwc(const Shape& shape, bool channels_first) {
  return channels_first ? Shape{shape[0], shape[4], shape[1], shape[2], shape[3]} : shape;
}

// A volume is turned around as an image whose columns are as long as rows and columns together.
Tensor ToNdhwc(ThreadPool& pool, const Tensor& volume, bool channels_first) {
  if (!channels_first) return volume;
  const Shape shape = ToNdhwc(volume.shape(), true);
  if (volume.elements() == 0) return Allocate(volume.dtype(), shape);
  const Tensor image = volume.Reshaped({shape[0], shape[4], shape[1], shape[2] * shape[3]});
  return ToNhwc(pool, image, true).Reshaped(shape);
}
Tensor FromNdhwc(ThreadPool& pool, const Tensor& volume, bool channels_first) {
  if (!channels_first) return volume;
  const Shape &own = volume.shape(), shape = FromNdhwc(own, true);
  if (volume.elements() == 0) return Allocate(volume.dtype(), shape);
  const Tensor image = volume.Reshaped({own[0], own[1], own[2] * own[3], own[4]});
  return FromNhwc(pool, image, true).Reshaped(shape);
}

}  // namespace plumb::fast::cpu
