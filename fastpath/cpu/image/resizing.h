// Images of another height and width: sizes and the places that pixels come from.
#pragma once

#include <vector>

#include "fastpath/cpu/lib/types.h"
#include "fastpath/device/kernel.h"

namespace plumb::fast::cpu {

// Elements that images may have; pixels are computed in float32.
using PixelTypes = decltype(FloatTypes() + IntegerTypes());

struct Axis {
  int64_t source = 0, target = 0;
  float scale = 0;  // how many pixels of the source one of the target covers
};

struct Resizing {
  int64_t batch = 0, channels = 0;
  Axis height, width;

  int64_t source_row() const { return width.source * channels; }
  int64_t target_row() const { return width.target * channels; }
  Shape source_shape() const { return Shape({batch, height.source, width.source, channels}); }
  Shape target_shape() const { return Shape({batch, height.target, width.target, channels}); }
};

// The attributes of ops that resize.
class Places {
 public:
  explicit Places(const Node& node);

  // Of images that are to have the size in `size`; kInvalidArgument where they cannot.
  Resizing Forward(const Tensor& images, const Tensor& size) const;
  // Of the gradient of images that had this height and width.
  Resizing Backward(const Tensor& grads, int64_t height, int64_t width) const;
  // Of images that are as high and wide as `original`; their number and channels are those of grads.
  Resizing Backward(const Tensor& grads, const Tensor& original) const;

  bool align_corners() const { return align_corners_; }
  bool half_pixel_centers() const { return half_pixel_centers_; }
  // Where pixel `i` of the target is in the source: float32, step by step, for the roundings decide between neighbours.
  float Of(const Axis& axis, int64_t i) const {
    const auto at = static_cast<float>(i);
    if (!half_pixel_centers_) return at * axis.scale;
    const float centre = (at + 0.5f) * axis.scale;
    return centre - 0.5f;
  }

 private:
  // kInvalidArgument where centres and corners are asked for at once, which the gradient of the nearest pixel takes.
  void CheckAttributes() const;
  Axis AxisOf(int64_t source, int64_t target) const;

  bool align_corners_;
  bool half_pixel_centers_;
};

// f(image, row, number of the target row) for rows [begin, end) of all images together.
template <class F>
void ForEachRow(const Resizing& r, int64_t begin, int64_t end, const F& f) {
  for (int64_t i = begin; i < end; ++i) f(i / r.height.target, i % r.height.target, i);
}

// The factory of K<T> for the pixel type of input `input`.
template <template <class> class K, class List, int input>
std::unique_ptr<Kernel> MakeForPixels(const Node& node) {
  auto kernel = VisitOneOf(List(), InputType(node, input), std::unique_ptr<Kernel>(), [&](auto tag) {
    return std::unique_ptr<Kernel>(std::make_unique<K<typename decltype(tag)::Type>>(node));
  });
  if (kernel == nullptr) ThrowNoKernel(node);
  return kernel;
}

}  // namespace plumb::fast::cpu
