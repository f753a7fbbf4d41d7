#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The images' channels are as many as every parameter says.
PartialShape Images(const ShapeContext& c, std::initializer_list<int> parameters) {
  PartialShape images = WithRank(c, 0, 4);
  for (const int i : parameters) images = WithDim(images, 3, MergeDims(c, images.dim(3), WithRank(c, i, 1).dim(0)));
  return images;
}

Shapes GlobalBatchNormShapes(const ShapeContext& c) { return {Images(c, {1, 2, 3, 4})}; }

Shapes GlobalBatchNormGradShapes(const ShapeContext& c) {
  const PartialShape images = MergeShapes(c, Images(c, {1, 2, 3}), WithRank(c, 4, 4));
  const PartialShape channels = Part(images, 3);
  return {images, channels, channels, channels, channels};
}

// The gradient op leaves beta out: nothing but the sum of its gradients depends on it.
Values GlobalBatchNormGradient(Gradient& g) {
  const NodeId gradient = g.Add("BatchNormWithGlobalNormalizationGrad", {g.x(0), g.x(1), g.x(2), g.x(4), g.dy()},
                                SameAttrs(g, {"variance_epsilon", "scale_after_normalization"}));
  Values values;
  for (int i = 0; i < 5; ++i) values.push_back(Endpoint{gradient, i});
  return values;
}

constexpr Deprecation kReplaced = {9, "Use tf.nn.batch_normalization()"};

}  // namespace

std::span<const OpRow> NormalizationGlobalBatchNorm() {
  static const OpRow rows[] = {
      {.signature = "BatchNormWithGlobalNormalization(t: T, m: T, v: T, beta: T, gamma: T) -> (result: T)",
       .attrs = "T: type in [numbers, quantized]; variance_epsilon: float; scale_after_normalization: bool",
       .doc = "(t - m) / sqrt(v + variance_epsilon), times gamma if scale_after_normalization, plus beta: per channel "
              "of images.",
       .cpu = "T in [float16, float32, float64]",
       .shape_fn = GlobalBatchNormShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .gradient = GlobalBatchNormGradient,
       .gradient_trial = {.untried = "graphs of this version no longer hold it"},
       .samples = {"variance_epsilon=0.5 scale_after_normalization=false/true: "
                   "[n h w C] [C] [C] in 0..2 [C] [C]"},
       .deprecated = kReplaced},
      {.signature = "BatchNormWithGlobalNormalizationGrad(t: T, m: T, v: T, gamma: T, backprop: T) -> (dx: T, dm: T, "
                    "dv: T, db: T, dg: T)",
       .attrs = "T: type in [numbers, quantized]; variance_epsilon: float; scale_after_normalization: bool",
       .doc = "The gradients of BatchNormWithGlobalNormalization by t, m, v, beta and gamma; the last is 0 without "
              "scale_after_normalization.",
       .cpu = "T in [float16, float32, float64]",
       .shape_fn = GlobalBatchNormGradShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Composed(4),
       .samples = {"variance_epsilon=0.5 scale_after_normalization=false/true: "
                   "[n h w C] [C] [C] in 0..2 [C] [n h w C]"},
       .deprecated = kReplaced},
  };
  return rows;
}

}  // namespace plumb::topics
