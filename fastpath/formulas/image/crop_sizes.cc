#include "fastpath/formulas/image/crop_sizes.h"

#include <vector>

#include "fastpath/formulas/image/resize_rule.h"

namespace plumb::fast {
namespace {

CropSizes SizesOfImages(const Shape& images) {
  Require(images.rank() == 4, "images must have four dimensions, not the shape ", images.ToString());
  Require(IsSideOfImage(images[1]) && IsSideOfImage(images[2]), "there is nothing to cut out of images of shape ",
          images.ToString());
  return {.batch = images[0], .height = images[1], .width = images[2], .channels = images[3]};
}

int64_t CountBoxes(const Shape& boxes, const Shape& box_ind) {
  Require(boxes.rank() == 2 && box_ind.rank() == 1, "boxes must be a matrix, not of shape ", boxes.ToString(),
          ", and box_ind a vector, not of shape ", box_ind.ToString());
  if (boxes.elements() == 0 && box_ind.elements() == 0) return 0;
  Require(boxes[1] == 4, "boxes have four corners each, not the shape ", boxes.ToString());
  Require(box_ind[0] == boxes[0], "box_ind must name an image for each of ", boxes[0], " boxes, not have the shape ",
          box_ind.ToString());
  return boxes[0];
}

}  // namespace

CropSizes CropSizes::Of(const Shape& images, const Shape& boxes, const Shape& box_ind, const Tensor& crop_size) {
  CropSizes sizes = SizesOfImages(images);
  sizes.boxes = CountBoxes(boxes, box_ind);
  Require(crop_size.rank() == 1 && crop_size.elements() == 2, "crop_size must be a vector of two, not of shape ",
          crop_size.shape().ToString());
  const std::vector<int64_t> sides = ToInt64s(crop_size);
  Require(sides[0] > 0 && sides[1] > 0, "crops cannot have the size ", sides[0], " x ", sides[1]);
  sizes.crop_height = sides[0];
  sizes.crop_width = sides[1];
  return sizes;
}

CropSizes CropSizes::OfGradient(const Shape& grads, const Shape& images, const Shape& boxes, const Shape& box_ind) {
  Require(grads.rank() == 4 && grads[1] > 0 && grads[2] > 0, "grads of shape ", grads.ToString(),
          " belong to no crops");
  CropSizes sizes = SizesOfImages(images);
  sizes.boxes = CountBoxes(boxes, box_ind);
  Require(grads[0] == sizes.boxes && grads[3] == sizes.channels, "grads of shape ", grads.ToString(), " do not fit ",
          sizes.boxes, " boxes of images of shape ", images.ToString());
  sizes.crop_height = grads[1];
  sizes.crop_width = grads[2];
  return sizes;
}

Shape ImagesOfSize(const Tensor& image_size) {
  Require(image_size.rank() == 1 && image_size.elements() == 4, "image_size must be a vector of four, not of shape ",
          image_size.shape().ToString());
  return Shape(ToInt64s(image_size));
}

}  // namespace plumb::fast
