// What the shape rules of image ops share.
#pragma once

#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

// [batch, height, width, channels] of an output whose batch and channels are those of `images` and whose height and
// width are the two values of input `size`.
PartialShape SizedImage(const ShapeContext& c, const PartialShape& images, int size);

// The images whose gradient is asked for, given the gradient of resized ones as input 0: as many and of as many
// channels as those, and as high and wide as input 1, which says everything where nothing is known of input 0.
PartialShape OriginalImages(const ShapeContext& c);

}  // namespace plumb::topics
