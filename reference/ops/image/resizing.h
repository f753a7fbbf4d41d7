// Images of another height and width: sizes and the places that pixels come from. Places are computed in float32, step
// by step as they are defined, because their roundings decide between neighbours.
#pragma once

#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

// The places along one dimension of the source that the pixels along the target fall on.
struct Axis {
  int64_t source = 0, target = 0;
  float scale = 0;
};

struct Resizing {
  int64_t batch = 0, channels = 0;
  Axis height, width;
  bool half_pixel_centers = false;
  bool align_corners = false;

  Shape source_shape() const { return {batch, height.source, width.source, channels}; }
  Shape target_shape() const { return {batch, height.target, width.target, channels}; }
  int64_t SourceIndex(int64_t b, int64_t y, int64_t x, int64_t c) const {
    return ((b * height.source + y) * width.source + x) * channels + c;
  }
  int64_t TargetIndex(int64_t b, int64_t y, int64_t x, int64_t c) const {
    return ((b * height.target + y) * width.target + x) * channels + c;
  }
};

// How many pixels of the source one of the target covers.
float ScaleOf(int64_t source, int64_t target, bool align_corners);

// Of a node that resizes input 0 to the size in input 1.
Resizing ForwardResizing(const OpContext& c);
// Of a node whose input 0 is the gradient of images that were resized from this height and width.
Resizing BackwardResizing(const OpContext& c, int64_t height, int64_t width);
// The same where input 1 is images of that height and width. How many there are, and of how many channels, is what
// input 0 says.
Resizing BackwardResizing(const OpContext& c);

// Where pixel `i` of the target is in the source: the distance of its centre, or of its corner, from the first one's.
float PlaceOf(const Resizing& resizing, const Axis& axis, int64_t i);

// A number as float32, which images are resized in.
Real AsFloat(Real x);
Real AsFloat(Integer x);

// Whether a value carries no bound. Places that hang on one that does may be anywhere.
bool IsExact(const Value& value);
// The number, or one of which nothing is known unless its place is certain.
Real If(bool certain, Real number);
inline Integer If(bool /*certain*/, Integer number) { return number; }

// Between two pixels.
Real Interpolated(Real from, Real to, Real fraction);

// Calls f(b, y, x, c) for every element of the target.
template <class F>
void ForEachTarget(const Resizing& r, F f) {
  if (r.target_shape().elements() == 0) return;
  for (int64_t b = 0; b < r.batch; ++b) {
    for (int64_t y = 0; y < r.height.target; ++y) {
      for (int64_t x = 0; x < r.width.target; ++x) {
        for (int64_t c = 0; c < r.channels; ++c) f(b, y, x, c);
      }
    }
  }
}

}  // namespace plumb::reference
