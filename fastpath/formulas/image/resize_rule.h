// Images of another height and width: what the inputs of ops that resize must be, and the sizes that they say.
#pragma once

#include "spec/core/tensor.h"
#include "spec/graph/graph.h"

namespace plumb::fast {

// Whether an image may be so high, or wide.
bool IsSideOfImage(int64_t size);

struct ResizeAxis {
  int64_t source = 0, target = 0;
  float scale = 0;  // how many pixels of the source one of the target covers
};

struct ResizeSizes {
  int64_t batch = 0, channels = 0;
  ResizeAxis height, width;

  int64_t source_row() const { return width.source * channels; }
  int64_t target_row() const { return width.target * channels; }
  Shape source_shape() const { return Shape({batch, height.source, width.source, channels}); }
  Shape target_shape() const { return Shape({batch, height.target, width.target, channels}); }
};

// The attributes of ops that resize. What does not fit them is kInvalidArgument.
class ResizeRule {
 public:
  explicit ResizeRule(const Node& node);

  bool align_corners() const { return align_corners_; }
  bool half_pixel_centers() const { return half_pixel_centers_; }

  // Of images that are to have the size in `size`, on the host.
  ResizeSizes Forward(const Shape& images, const Tensor& size) const;
  // Of images that had the size in `size`; their number and channels are those of grads.
  ResizeSizes BackwardToSize(const Shape& grads, const Tensor& size) const;
  // Of images that are as high and wide as `original`.
  ResizeSizes BackwardToImages(const Shape& grads, const Shape& original) const;

 private:
  // Centres and corners exclude each other; the gradient of the nearest pixel takes them.
  void CheckAttributes() const;
  ResizeSizes Backward(const Shape& grads, int64_t height, int64_t width) const;
  ResizeAxis AxisOf(int64_t source, int64_t target) const;

  bool align_corners_;
  bool half_pixel_centers_;
};

}  // namespace plumb::fast
