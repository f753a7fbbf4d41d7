#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes CropShapes(const ShapeContext& c) {
  const PartialShape image = WithRank(c, 0, 3);
  MergeDims(c, WithRank(c, 1, 1).dim(0), 2);
  const auto size = ConstantInts(c, 1);
  if (!size) return {{-1, -1, image.dim(2)}};
  Require((*size)[0] >= 0 && (*size)[1] >= 0, "a crop cannot have the size ", (*size)[0], " x ", (*size)[1]);
  return {{(*size)[0], (*size)[1], image.dim(2)}};
}

}  // namespace

std::span<const OpRow> ImageRandomCrop() {
  static const OpRow rows[] = {
      {.signature = "RandomCrop(image: T, size: int64) -> (output: T) stateful draws_numbers",
       .attrs = "T: type in [uint8, int8, int16, int32, int64, float32, float64]; seed: int = 0; seed2: int = 0",
       .doc = "A part of the image, [height, width, channels], of this height and width, at a random place.",
       .shape_fn = CropShapes,
       .accuracy = Statistical(),
       .gradient = BlocksGradient(),
       .samples = {"seed=7 seed2=3: [5 6 c] {3, 2}", "seed=1: [4 4 c] {4, 1}", "seed=2: [3 2 c] {3, 2}"},
       .deprecated = {8, "Random crop is now pure Python"}},
  };
  return rows;
}

}  // namespace plumb::topics
