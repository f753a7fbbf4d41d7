// Boxes that are cut out of images: what the inputs of CropAndResize and its gradients must be, and the sizes that they
// say. What the boxes hold is left to devices. What does not fit is kInvalidArgument.
#pragma once

#include "spec/core/tensor.h"

namespace plumb::fast {

struct CropSizes {
  int64_t boxes = 0, batch = 0, height = 0, width = 0, channels = 0, crop_height = 0, crop_width = 0;

  // `crop_size` lies on the host.
  static CropSizes Of(const Shape& images, const Shape& boxes, const Shape& box_ind, const Tensor& crop_size);
  // What the crops' gradients say of the crops.
  static CropSizes OfGradient(const Shape& grads, const Shape& images, const Shape& boxes, const Shape& box_ind);

  Shape image_shape() const { return Shape({batch, height, width, channels}); }
  Shape crop_shape() const { return Shape({boxes, crop_height, crop_width, channels}); }
};

// The images' shape, as a tensor on the host says it.
Shape ImagesOfSize(const Tensor& image_size);

}  // namespace plumb::fast
