#include "reference/ops/image/crops.h"

#include <algorithm>
#include <cmath>

namespace plumb::reference {

int64_t CountBoxes(const OpContext& c, int boxes, int image_of_box) {
  const Tensor &corners = c.tensor(boxes), &images = c.tensor(image_of_box);
  Require(corners.rank() == 2 && images.rank() == 1, "boxes must be a matrix, not of shape ",
          corners.shape().ToString(), ", and box_ind a vector, not of shape ", images.shape().ToString());
  if (corners.elements() == 0 && images.elements() == 0) return 0;
  Require(corners.dim(1) == 4, "boxes have four corners each, not the shape ", corners.shape().ToString());
  Require(images.dim(0) == corners.dim(0), "box_ind must name an image for each of ", corners.dim(0),
          " boxes, not have the shape ", images.shape().ToString());
  return corners.dim(0);
}

std::vector<int64_t> ImagesOfBoxes(const OpContext& c, int boxes, int image_of_box, int64_t count, int64_t batch) {
  std::vector<int64_t> images;
  for (int64_t i = 0; i < count; ++i) {
    images.push_back(c.tensor(image_of_box).data<int32_t>()[i]);
    if (images.back() < 0 || images.back() >= batch) {
      throw OutOfRange("box ", i, " belongs to image ", images.back(), " of ", batch);
    }
  }
  for (const float corner : c.tensor(boxes).data<float>()) {
    Require(std::isfinite(corner), "the corner of a box is ", corner);
  }
  return images;
}

Place PlaceIn(Real first, Real last, int64_t size, int64_t crop_size, int64_t i, Spacing spacing) {
  const auto end = static_cast<float>(size - 1), steps = static_cast<float>(crop_size - 1);
  const auto y1 = static_cast<float>(first.v), y2 = static_cast<float>(last.v), step = static_cast<float>(i);
  Place place;
  double slope = 0;
  if (crop_size > 1) {
    const float distance = spacing == Spacing::kOfCrops ? (y2 - y1) * end / steps : (y2 - y1) * (end / steps);
    const float start = y1 * end, offset = step * distance;
    place.at = start + offset;
    slope = first.d * end + (last.d - first.d) * end * step / steps;
  } else {
    place.at = 0.5f * (y1 + y2) * end;
    slope = 0.5 * (first.d + last.d) * end;
  }
  place.certain = first.e == 0 && last.e == 0;
  place.inside = place.at >= 0 && place.at <= end;
  if (!place.inside) return place;
  const auto index = [&](float x) { return std::min(static_cast<int64_t>(x), size - 1); };
  place.lower = index(std::floor(place.at));
  place.upper = index(std::ceil(place.at));
  place.nearest = index(std::round(place.at));
  // Gradients may take the places of the crops as they are, or compute them in an order of their own.
  const double error = spacing == Spacing::kOfCrops ? 0 : 4 * UnitRoundoff(DType::kFloat) * end;
  place.fraction = Real(static_cast<double>(place.at - static_cast<float>(place.lower)), error, slope);
  return place;
}

}  // namespace plumb::reference
