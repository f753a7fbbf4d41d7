// Boxes cut out of images: sizes, and the places that pixels of crops fall on.
#pragma once

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

struct Crops {
  int64_t boxes = 0, batch = 0, height = 0, width = 0, channels = 0, crop_height = 0, crop_width = 0;

  Shape image_shape() const { return {batch, height, width, channels}; }
  Shape crop_shape() const { return {boxes, crop_height, crop_width, channels}; }
  int64_t ImageIndex(int64_t b, int64_t y, int64_t x, int64_t c) const {
    return ((b * height + y) * width + x) * channels + c;
  }
  int64_t CropIndex(int64_t box, int64_t y, int64_t x, int64_t c) const {
    return ((box * crop_height + y) * crop_width + x) * channels + c;
  }
};

// How many boxes there are; kInvalidArgument where inputs `boxes` and `image_of_box` do not fit.
int64_t CountBoxes(const OpContext& c, int boxes, int image_of_box);
// The images of the `count` boxes; kOutOfRange where there is no such image, kInvalidArgument where a corner is not
// finite.
std::vector<int64_t> ImagesOfBoxes(const OpContext& c, int boxes, int image_of_box, int64_t count, int64_t batch);

// Where a row (or column) of a crop falls: between two of the image's, or outside. Places are computed in float32, step
// by step; the derivative is that of the corners. A corner that carries a bound may fall anywhere.
struct Place {
  bool inside = false;
  bool certain = true;
  float at = 0;
  int64_t lower = 0, upper = 0, nearest = 0;
  Real fraction;
};
enum class Spacing { kOfCrops, kOfBoxGradients };  // in which order the steps between two places are computed
Place PlaceIn(Real first, Real last, int64_t size, int64_t crop_size, int64_t i, Spacing spacing);

}  // namespace plumb::reference
