#include "spec/ops/gradient_helpers.h"
#include "spec/ops/image_format.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes BiasAddShapes(const ShapeContext& c) {
  const Format format = FormatOf(c);
  const PartialShape& value = WithRankAtLeast(c, 0, format.channels_first ? 3 : 2);
  const PartialShape bias = WithRank(c, 1, 1);
  if (!value.has_rank()) return {value};
  const int channel = format.Channel(value.rank());
  return {WithDim(value, channel, MergeDims(c, value.dim(channel), bias.dim(0)))};
}

Shapes BiasAddGradShapes(const ShapeContext& c) {
  const Format format = FormatOf(c);
  const PartialShape& value = WithRankAtLeast(c, 0, format.channels_first ? 3 : 2);
  if (!value.has_rank()) return {PartialShape::OfRank(1)};
  return {PartialShape{value.dim(format.Channel(value.rank()))}};
}

Values BiasAddGradient(Gradient& g) {
  const std::string& format = g.attr<std::string>("data_format");
  return {g.dy(), g.Call("BiasAddGrad", {g.dy()}, {{"data_format", format}})};
}

// BiasAddV1 has no data_format: its channels are the last dimension, and its bias is the sum over all others.
Shapes BiasAddV1Shapes(const ShapeContext& c) {
  const PartialShape& value = WithRankAtLeast(c, 0, 2);
  const PartialShape bias = WithRank(c, 1, 1);
  if (!value.has_rank()) return {value};
  const int channel = value.rank() - 1;
  return {WithDim(value, channel, MergeDims(c, value.dim(channel), bias.dim(0)))};
}

Values BiasAddV1Gradient(Gradient& g) {
  return {g.dy(), g.Call("BiasAddGrad", {g.dy()}, {{"data_format", std::string("NHWC")}})};
}

// The gradient of a sum over all axes but the channel's: each channel's value, spread over the input's shape.
Values BiasAddGradGradient(Gradient& g) {
  const std::string& format = g.attr<std::string>("data_format");
  return {g.Call("BiasAdd", {g.ZerosLike(g.x()), g.dy()}, {{"data_format", format}})};
}

}  // namespace

std::span<const OpRow> NormalizationBias() {
  static const OpRow rows[] = {
      {.signature = "BiasAdd(value: T, bias: T) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; data_format: string = 'NHWC' in ['NHWC', 'NCHW']",
       .doc = "value plus a vector that runs along the channels: the last dimension, or dimension 1 for NCHW.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats]",
       .shape_fn = BiasAddShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = BiasAddGradient,
       .gradient_trial = {.order = 2},
       .samples = {"[d... e C] [C]", "data_format='NCHW': [n C 2 3] [C]"}},
      {.signature = "BiasAddV1(value: T, bias: T) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]",
       .doc = "BiasAdd whose channels are the last dimension.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats]",
       .shape_fn = BiasAddV1Shapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = BiasAddV1Gradient,
       .samples = {"[d... e C] [C]"}},
      {.signature = "BiasAddGrad(out_backprop: T) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; data_format: string = 'NHWC' in ['NHWC', 'NCHW']",
       .doc = "The gradient of BiasAdd by the bias: the sum over all dimensions but the channels.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats]",
       .shape_fn = BiasAddGradShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .gradient = BiasAddGradGradient,
       .samples = {"[d... e C]", "data_format='NCHW': [n C 2 3]"}},
  };
  return rows;
}

}  // namespace plumb::topics
