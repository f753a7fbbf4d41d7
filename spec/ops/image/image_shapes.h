// What the shape rules of image ops share.
#pragma once

#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

// [batch, height, width, channels] of an output whose batch and channels are those of `images` and whose height and
// width are the two values of input `size`.
PartialShape SizedImage(const ShapeContext& c, const PartialShape& images, int size);

}  // namespace plumb::topics
