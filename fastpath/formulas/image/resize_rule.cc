#include "fastpath/formulas/image/resize_rule.h"

#include <limits>
#include <vector>

namespace plumb::fast {
namespace {

// Height and width.
std::vector<int64_t> SidesIn(const Tensor& size) {
  Require(size.rank() == 1 && size.elements() == 2, "size must be a vector of two, not of shape ",
          size.shape().ToString());
  return ToInt64s(size);
}

}  // namespace

bool IsSideOfImage(int64_t size) { return size > 0 && size <= std::numeric_limits<int32_t>::max(); }

ResizeRule::ResizeRule(const Node& node)
    : align_corners_(GetAttrOr(node.attrs, "align_corners", false)),
      half_pixel_centers_(GetAttrOr(node.attrs, "half_pixel_centers", false)) {}

ResizeAxis ResizeRule::AxisOf(int64_t source, int64_t target) const {
  const float scale = align_corners_ && target > 1 ? static_cast<float>(source - 1) / static_cast<float>(target - 1)
                                                   : static_cast<float>(source) / static_cast<float>(target);
  return {source, target, scale};
}

void ResizeRule::CheckAttributes() const {
  Require(!half_pixel_centers_ || !align_corners_, "half_pixel_centers and align_corners exclude each other");
}

ResizeSizes ResizeRule::Forward(const Shape& images, const Tensor& size) const {
  CheckAttributes();
  Require(images.rank() == 4, "images must have four dimensions, not the shape ", images.ToString());
  const std::vector<int64_t> sides = SidesIn(size);
  Require(sides[0] > 0 && sides[1] > 0, "images cannot be resized to ", sides[0], " x ", sides[1]);
  Require(IsSideOfImage(images[1]) && IsSideOfImage(images[2]) && images[3] > 0, "images of shape ", images.ToString(),
          " cannot be resized");
  return {images[0], images[3], AxisOf(images[1], sides[0]), AxisOf(images[2], sides[1])};
}

ResizeSizes ResizeRule::BackwardToSize(const Shape& grads, const Tensor& size) const {
  const std::vector<int64_t> sides = SidesIn(size);
  return Backward(grads, sides[0], sides[1]);
}

ResizeSizes ResizeRule::BackwardToImages(const Shape& grads, const Shape& original) const {
  Require(original.rank() == 4, "original_image must have four dimensions, not the shape ", original.ToString());
  CheckAttributes();
  return Backward(grads, original[1], original[2]);
}

ResizeSizes ResizeRule::Backward(const Shape& grads, int64_t height, int64_t width) const {
  Require(grads.rank() == 4, "grads must have four dimensions, not the shape ", grads.ToString());
  Require(IsSideOfImage(grads[1]) && IsSideOfImage(grads[2]), "grads of shape ", grads.ToString(),
          " belong to no resized image");
  Require(IsSideOfImage(height) && IsSideOfImage(width), "images of ", height, " x ", width,
          " pixels cannot be resized");
  return {grads[0], grads[3], AxisOf(height, grads[1]), AxisOf(width, grads[2])};
}

}  // namespace plumb::fast
