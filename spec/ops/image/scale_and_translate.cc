#include "spec/ops/gradient_helpers.h"
#include "spec/ops/image/image_shapes.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes ScaleShapes(const ShapeContext& c) { return {SizedImage(c, WithRank(c, 0, 4), 1)}; }

Shapes OriginalShapes(const ShapeContext& c) { return {OriginalImages(c)}; }

Values ScaleAndTranslateGradient(Gradient& g) {
  const GradientValue none = GradientValue::None();
  const DType type = g.dtype(g.x(0));
  const auto cast = [&](Endpoint value, DType to) {
    return type == DType::kFloat ? value : g.Call("Cast", {value}, {{"DstT", to}});
  };
  const Endpoint gradient = g.Call("ScaleAndTranslateGrad", {g.dy(), cast(g.x(0), DType::kFloat), g.x(2), g.x(3)},
                                   SameAttrs(g, {"kernel_type", "antialias"}));
  return {cast(gradient, type), none, none, none};
}

}  // namespace

std::span<const OpRow> ImageScaleAndTranslate() {
  static const OpRow rows[] = {
      {.signature = "ScaleAndTranslate(images: T, size: int32, scale: float32, translation: float32) -> "
                    "(resized_images: float32)",
       .attrs = "T: type in [int8, uint8, int16, uint16, int32, int64, bfloat16, float16, float32, float64]; "
                "kernel_type: string = 'lanczos3'; antialias: bool = true",
       .doc = "Images scaled and then moved, each pixel weighted with a kernel around its place in the source.",
       .shape_fn = ScaleShapes,
       .cost = 16,
       .accuracy = Composed(1),
       .gradient = ScaleAndTranslateGradient,
       .gradient_trial = {.constant_inputs = {2, 3}},
       .samples = {"kernel_type='lanczos1'/'lanczos3'/'lanczos5'/'gaussian'/'box' antialias=true/false: "
                   "[b H W C] {5, 4} [2] in 0.3..3 [2] in -1..1",
                   "kernel_type='triangle'/'keyscubic'/'mitchellcubic' antialias=true/false: "
                   "[b 4 5 C] {H, W} [2] in 0.3..3 [2] in -1..1"}},
      {.signature = "ScaleAndTranslateGrad(grads: T, original_image: T, scale: float32, translation: float32) -> "
                    "(output: T)",
       .attrs = "T: type in [float32]; kernel_type: string = 'lanczos3'; antialias: bool = true",
       .doc = "The gradient of ScaleAndTranslate for images of the height and width of original_image.",
       .shape_fn = OriginalShapes,
       .cost = 16,
       .accuracy = Composed(1),
       .samples = {"kernel_type='lanczos3'/'gaussian'/'triangle' antialias=true/false: "
                   "[b 5 4 C] [b H W C] [2] in 0.3..3 [2] in -1..1"}},
  };
  return rows;
}

}  // namespace plumb::topics
