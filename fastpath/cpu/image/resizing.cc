#include "fastpath/cpu/image/resizing.h"

#include <limits>

namespace plumb::fast::cpu {
namespace {

bool IsSide(int64_t size) { return size > 0 && size <= std::numeric_limits<int32_t>::max(); }

}  // namespace

Places::Places(const Node& node)
    : align_corners_(GetAttrOr(node.attrs, "align_corners", false)),
      half_pixel_centers_(GetAttrOr(node.attrs, "half_pixel_centers", false)) {}

Axis Places::AxisOf(int64_t source, int64_t target) const {
  const float scale = align_corners_ && target > 1 ? static_cast<float>(source - 1) / static_cast<float>(target - 1)
                                                   : static_cast<float>(source) / static_cast<float>(target);
  return {source, target, scale};
}

void Places::CheckAttributes() const {
  Require(!half_pixel_centers_ || !align_corners_, "half_pixel_centers and align_corners exclude each other");
}

Resizing Places::Forward(const Tensor& images, const Tensor& size) const {
  CheckAttributes();
  Require(images.rank() == 4, "images must have four dimensions, not the shape ", images.shape().ToString());
  Require(size.rank() == 1 && size.elements() == 2, "size must be a vector of two, not of shape ",
          size.shape().ToString());
  const int64_t height = IntAt(size, 0), width = IntAt(size, 1);
  Require(height > 0 && width > 0, "images cannot be resized to ", height, " x ", width);
  Require(IsSide(images.dim(1)) && IsSide(images.dim(2)) && images.dim(3) > 0, "images of shape ",
          images.shape().ToString(), " cannot be resized");
  return {images.dim(0), images.dim(3), AxisOf(images.dim(1), height), AxisOf(images.dim(2), width)};
}

Resizing Places::Backward(const Tensor& grads, int64_t height, int64_t width) const {
  Require(grads.rank() == 4, "grads must have four dimensions, not the shape ", grads.shape().ToString());
  Require(IsSide(grads.dim(1)) && IsSide(grads.dim(2)), "grads of shape ", grads.shape().ToString(),
          " belong to no resized image");
  Require(IsSide(height) && IsSide(width), "images of ", height, " x ", width, " pixels cannot be resized");
  return {grads.dim(0), grads.dim(3), AxisOf(height, grads.dim(1)), AxisOf(width, grads.dim(2))};
}

Resizing Places::Backward(const Tensor& grads, const Tensor& original) const {
  Require(original.rank() == 4, "original_image must have four dimensions, not the shape ",
          original.shape().ToString());
  CheckAttributes();
  return Backward(grads, original.dim(1), original.dim(2));
}

}  // namespace plumb::fast::cpu
