#include "spec/ops/gradient_helpers.h"
#include "spec/ops/image/image_shapes.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes TransformShapes(const ShapeContext& c) {
  const PartialShape images = WithRank(c, 0, 4);
  return {SizedImage(c, images, 2)};
}

// The transforms of the way back: the inverse of the matrices whose last element, 1, a row of eight leaves out.
Endpoint Inverse(Gradient& g, Endpoint transforms) {
  const Endpoint count = Part(g, g.ShapeOf(transforms), 0, 1);
  const Endpoint ones = g.Call("Fill", {Concat(g, {count, g.Int32s({1})}), g.Scalar(1, DType::kFloat)});
  const Endpoint rows = g.Call("ConcatV2", {transforms, ones, One(g)});
  const Endpoint matrices = g.Call("Reshape", {rows, g.Int32s({-1, 3, 3})});
  const Endpoint inverse = g.Call("Reshape", {g.Call("MatrixInverse", {matrices}), g.Int32s({-1, 9})});
  const Endpoint last = g.Call("Slice", {inverse, g.Int32s({0, 8}), g.Int32s({-1, 1})});
  return g.Call("Slice", {g.Call("RealDiv", {inverse, last}), g.Int32s({0, 0}), g.Int32s({-1, 8})});
}

Values TransformGradient(Gradient& g, const char* op) {
  std::vector<Endpoint> inputs = {g.dy(), Inverse(g, g.x(1)), Part(g, g.ShapeOf(g.x(0)), 1, 3)};
  if (g.num_inputs() > 3) inputs.push_back(g.Scalar(0, DType::kFloat));
  Values gradients(g.num_inputs());
  gradients[0] = g.Call(op, inputs, SameAttrs(g, {"interpolation", "fill_mode"}));
  return gradients;
}
Values ImageProjectiveTransformV2Gradient(Gradient& g) { return TransformGradient(g, "ImageProjectiveTransformV2"); }
Values ImageProjectiveTransformV3Gradient(Gradient& g) { return TransformGradient(g, "ImageProjectiveTransformV3"); }

}  // namespace

std::span<const OpRow> ImageProjectiveTransform() {
  static const OpRow rows[] = {
      {.signature = "ImageProjectiveTransformV2(images: dtype, transforms: float32, output_shape: int32) -> "
                    "(transformed_images: dtype)",
       .attrs = "dtype: type in [uint8, int32, int64, float16, float32, float64]; interpolation: string; fill_mode: "
                "string = 'CONSTANT'",
       .doc =
           "Images seen through projections: pixel (x, y) is that of the source at ((a x + b y + c) / k, (d x + e y + "
           "f) / k), where k = g x + h y + 1 and a … h are a row of transforms.",
       .gpu = "all",
       .shape_fn = TransformShapes,
       .cost = 16,
       .accuracy = Composed(1),
       .gradient = ImageProjectiveTransformV2Gradient,
       .gradient_trial = {.untried = "TensorFlow's rule transforms the gradient back, which is no derivative"},
       .samples = {"interpolation='NEAREST'/'BILINEAR' fill_mode='CONSTANT'/'NEAREST'/'REFLECT'/'WRAP': "
                   "[b 4 5 c] [1 8] in -1..1 {H, W}",
                   "interpolation='NEAREST'/'BILINEAR' fill_mode='CONSTANT'/'NEAREST'/'REFLECT'/'WRAP': "
                   "[b H W c] [b 8] in -2..2 {3, 4}"}},
      {.signature = "ImageProjectiveTransformV3(images: dtype, transforms: float32, output_shape: int32, fill_value: "
                    "float32) -> (transformed_images: dtype)",
       .attrs = "dtype: type in [uint8, int32, int64, float16, float32, float64]; interpolation: string; fill_mode: "
                "string = 'CONSTANT'",
       .doc = "ImageProjectiveTransformV2 with fill_value where a pixel comes from outside of the source.",
       .gpu = "all",
       .shape_fn = TransformShapes,
       .cost = 16,
       .accuracy = Composed(1),
       .gradient = ImageProjectiveTransformV3Gradient,
       .gradient_trial = {.untried = "TensorFlow's rule transforms the gradient back, which is no derivative"},
       .samples = {"interpolation='NEAREST'/'BILINEAR' fill_mode='CONSTANT'/'NEAREST'/'REFLECT'/'WRAP': "
                   "[b 4 5 c] [1 8] in -1..1 {H, W} 7"}},
  };
  return rows;
}

}  // namespace plumb::topics
