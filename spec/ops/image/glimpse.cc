#include "spec/ops/image/image_shapes.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes GlimpseShapes(const ShapeContext& c) {
  const std::string& noise = c.attr<std::string>("noise");
  Require(!c.attr<bool>("uniform_noise") || noise.empty() || noise == "uniform", c.op().name,
          ": uniform_noise asks for another noise than '", noise, "'");
  const PartialShape images = WithRank(c, 0, 4), offsets = WithRank(c, 2, 2);
  MergeDims(c, offsets.dim(1), 2);
  return {SizedImage(c, WithDim(images, 0, MergeDims(c, images.dim(0), offsets.dim(0))), 1)};
}

}  // namespace

std::span<const OpRow> ImageGlimpse() {
  static const OpRow rows[] = {
      {.signature = "ExtractGlimpse(input: float32, size: int32, offsets: float32) -> (glimpse: float32)",
       .attrs = "centered: bool = true; normalized: bool = true; uniform_noise: bool = true; noise: string = 'uniform'",
       .doc = "A window of each image at an offset of its own; what is outside of the image is noise in the range of "
              "its pixels, or normal around their means, or zero. The noise is the same in every run.",
       .shape_fn = GlimpseShapes,
       .cost = 2,
       .accuracy = Composed(4),
       .gradient = BlocksGradient(),
       .samples = {"noise='uniform': [b 4 5 c] {3, 2} [b 2]",
                   "uniform_noise=false noise='zero': [b 5 4 c] {2, 3} [b 2] "
                   "in -1..1",
                   "uniform_noise=false noise='gaussian'/'': [b H W c] {3, 6} [b 2] in -2..2"}},
      {.signature = "ExtractGlimpseV2(input: float32, size: int32, offsets: float32) -> (glimpse: float32)",
       .attrs = "centered: bool = true; normalized: bool = true; uniform_noise: bool = true; noise: string = 'uniform'",
       .doc = "ExtractGlimpse whose offsets in pixels count from the centre of the image, or from its corner, to the "
              "corner of the window.",
       .shape_fn = GlimpseShapes,
       .cost = 2,
       .accuracy = Composed(4),
       .samples = {"noise='uniform': [b 4 5 c] {3, 2} [b 2]",
                   "uniform_noise=false noise='zero': [b 5 4 c] {2, 3} [b 2] "
                   "in -1..1",
                   "uniform_noise=false noise='gaussian'/'': [b H W c] {3, 6} [b 2] in -2..2"}},
  };
  return rows;
}

}  // namespace plumb::topics
