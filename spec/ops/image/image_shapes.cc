#include "spec/ops/image/image_shapes.h"

namespace plumb::topics {

PartialShape SizedImage(const ShapeContext& c, const PartialShape& images, int size) {
  const PartialShape sizes = WithRank(c, size, 1);
  MergeDims(c, sizes.dim(0), 2);
  int64_t height = -1, width = -1;
  if (const auto known = ConstantInts(c, size)) {
    height = (*known)[0];
    width = (*known)[1];
    Require(height >= 0 && width >= 0, InputName(c, size), " says the size ", height, " x ", width);
  }
  return {images.dim(0), height, width, images.dim(3)};
}

}  // namespace plumb::topics
