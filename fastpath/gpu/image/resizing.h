// Images of another height and width: the places that pixels come from, and those that they go to.
#pragma once

#include <cmath>

#include "fastpath/formulas/image/resize_rule.h"
#include "fastpath/gpu/gpu_context.h"

namespace plumb::fast::GPU_NAMESPACE {

// Pixels [begin, end) of an axis.
struct PixelRange {
  int64_t begin, end;
};

// Pixels of the target whose places, first + i · step, may be within 1 of pixel `at` of the source: no fewer.
PLUMB_GPU_INLINE PixelRange PixelsNear(int64_t at, double first, double step, int64_t target) {
  if (step == 0) return {0, target};
  const double a = (static_cast<double>(at) - 1 - first) / step, b = (static_cast<double>(at) + 1 - first) / step;
  const double low = std::floor(a < b ? a : b) - 2, high = std::ceil(a < b ? b : a) + 3;
  const auto limit = [target](double x) {
    return x > 0 ? (x < static_cast<double>(target) ? static_cast<int64_t>(x) : target) : int64_t{0};
  };
  return {limit(low), limit(high)};
}

// The two pixels of the source that a place is between, and how far it is from the lower one.
struct Between {
  int64_t lower, upper;
  float fraction;
};

struct ResizedAxis : ResizeAxis {
  bool half_pixel_centers = false, align_corners = false;

  PLUMB_GPU_INLINE int64_t Inside(float place) const {
    const auto pixel = static_cast<int64_t>(place);
    return pixel < 0 ? 0 : pixel >= source ? source - 1 : pixel;
  }
  // float32, step by step, for the roundings decide between neighbours.
  PLUMB_GPU_INLINE Between NeighboursOf(int64_t i) const {
    const auto at = static_cast<float>(i);
    float place = at * scale;
    if (half_pixel_centers) place = (at + 0.5F) * scale - 0.5F;
    const float floor = std::floor(place);
    return {Inside(floor), Inside(std::ceil(place)), place - floor};
  }
  PLUMB_GPU_INLINE int64_t NearestOf(int64_t i) const {
    const auto at = static_cast<float>(i);
    const float place = (half_pixel_centers ? at + 0.5F : at) * scale;
    return Inside(align_corners ? std::round(place) : std::floor(place));
  }
  // Pixels of the target that may be made of pixel `at` of the source. What lies beyond the ends is made of these.
  PLUMB_GPU_INLINE PixelRange MadeOf(int64_t at) const {
    const double step = scale;
    PixelRange range = PixelsNear(at, half_pixel_centers ? 0.5 * step - 0.5 : 0.0, step, target);
    if (at == 0) range.begin = 0;
    if (at == source - 1) range.end = target;
    return range;
  }
};

struct Resizing {
  int64_t batch, channels;
  ResizedAxis height, width;

  Resizing(const ResizeSizes& sizes, const ResizeRule& rule)
      : batch(sizes.batch),
        channels(sizes.channels),
        height{sizes.height, rule.half_pixel_centers(), rule.align_corners()},
        width{sizes.width, rule.half_pixel_centers(), rule.align_corners()} {}

  PLUMB_GPU_WORD int64_t Source(int64_t image, int64_t row, int64_t column) const {
    return ((image * height.source + row) * width.source + column) * channels;
  }
  PLUMB_GPU_WORD int64_t Target(int64_t image, int64_t row, int64_t column) const {
    return ((image * height.target + row) * width.target + column) * channels;
  }
};

}  // namespace plumb::fast::GPU_NAMESPACE
