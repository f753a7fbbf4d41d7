#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ScalarShapes(const ShapeContext&) { return {PartialShape(Shape())}; }

}  // namespace

std::span<const OpRow> SummaryImage() {
  static const OpRow rows[] = {
      {.signature = "ImageSummary(tag: string, tensor: T) -> (summary: string)",
       .attrs =
           "max_images: int = 3 >= 1; T: type = float32 in [uint8, float32, float16, float64]; bad_color: tensor = "
           "<tensor>",
       .doc = "A summary with the first max_images images of [batch, height, width, channels] as PNG files. Floats are "
              "scaled to 0..255, or around 128 where there are negative ones; a pixel that is not finite is bad_color "
              "(Z13).",
       .shape_fn = ScalarShapes,
       .gradient = BlocksGradient(),
       .samples = {"max_images=1/2: 'one' [B H W 1]", "'rgb' [2 H W 3]", "max_images=3: '' [B 3 5 4]",
                   "bad_color=[1]: 'one' [2 H W 1]", "bad_color=[3]: 'rgb' [2 H W 3]",
                   "bad_color=[5] max_images=2: 'rgba' [3 H W 4]"}},
  };
  return rows;
}

}  // namespace plumb::topics
