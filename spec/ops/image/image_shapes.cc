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

PartialShape OriginalImages(const ShapeContext& c) {
  const PartialShape &grads = c.input(0), &original = c.input(1);
  if (!grads.has_rank() || grads.rank() != 4 || !original.has_rank() || original.rank() != 4) return original;
  const auto known = [&](int axis) { return grads.dim(axis) >= 0 ? grads.dim(axis) : original.dim(axis); };
  return {known(0), original.dim(1), original.dim(2), known(3)};
}

}  // namespace plumb::topics
