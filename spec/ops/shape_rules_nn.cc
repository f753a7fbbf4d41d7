#include "spec/ops/shape_helpers.h"
#include "spec/ops/shape_rules.h"

namespace plumb::shape_rules {
namespace {

// Where the dimensions of an image batch stand. NHWC formats end with the channels, NCHW formats begin with them.
struct Format {
  bool channels_first;
  int Channel(int rank) const { return channels_first ? 1 : rank - 1; }
  int Spatial(int i) const { return (channels_first ? 2 : 1) + i; }
};

Format FormatOf(const ShapeContext& c) { return {c.attr<std::string>("data_format").starts_with("NC")}; }

const std::vector<int64_t>& FourValues(const ShapeContext& c, std::string_view name) {
  const auto& values = c.attr<std::vector<int64_t>>(name);
  Require(values.size() == 4, c.op().name, ": the attribute '", name, "' must have 4 values, not ", values.size());
  return values;
}

// How many windows fit along one dimension; -1: unknown. `pads` counts for EXPLICIT padding only.
struct Window {
  int64_t size;
  int64_t stride;
  int64_t dilation = 1;
  int64_t pads = 0;
};

int64_t CountWindows(const ShapeContext& c, int64_t input, const Window& window, std::string_view padding) {
  Require(window.stride > 0, c.op().name, ": strides must be positive, not ", window.stride);
  Require(window.dilation > 0, c.op().name, ": dilations must be positive, not ", window.dilation);
  if (padding == "SAME") {
    return input < 0 ? -1 : input / window.stride + (input % window.stride != 0 ? 1 : 0);
  }
  if (input < 0 || window.size < 0) return -1;
  const int64_t effective = AddSizes(MultiplySizes(c, std::max<int64_t>(window.size - 1, 0), window.dilation), 1);
  return SubtractSizes(c, AddSizes(input, window.pads), effective) / window.stride + 1;
}

// Amounts before and after each dimension in the order of data_format; empty unless the padding is EXPLICIT.
std::vector<int64_t> ExplicitPaddings(const ShapeContext& c, std::string_view padding) {
  const auto& given = c.attr<std::vector<int64_t>>("explicit_paddings");
  Require((padding == "EXPLICIT") == !given.empty(), c.op().name,
          ": explicit_paddings go with the padding EXPLICIT and with no other");
  if (given.empty()) return given;
  Require(given.size() == 8, c.op().name, ": explicit_paddings must have 8 values, not ", given.size());
  const int channel = FormatOf(c).Channel(4);
  for (int i = 0; i < 8; ++i) {
    Require(given[i] >= 0, c.op().name, ": explicit_paddings must not be negative: ", given[i]);
    Require((i / 2 != 0 && i / 2 != channel) || given[i] == 0, c.op().name, ": batch and channels cannot be padded");
  }
  return given;
}

int64_t PadsOf(const std::vector<int64_t>& paddings, int axis) {
  return paddings.empty() ? 0 : AddSizes(paddings[2 * axis], paddings[2 * axis + 1]);
}

}  // namespace

Shapes Conv2D(const ShapeContext& c) {
  const PartialShape input = WithRank(c, 0, 4);
  const PartialShape filter = WithRank(c, 1, 4);
  const auto& strides = FourValues(c, "strides");
  const auto& dilations = FourValues(c, "dilations");
  const auto& padding = c.attr<std::string>("padding");
  const std::vector<int64_t> paddings = ExplicitPaddings(c, padding);
  const Format format = FormatOf(c);
  const int channel = format.Channel(4);
  const int64_t depth = input.dim(channel);
  const int64_t filter_depth = filter.dim(2);
  if (depth >= 0 && filter_depth >= 0) {
    Require(filter_depth > 0 && depth % filter_depth == 0, "Conv2D: the depth ", depth,
            " of the input is no multiple of the filter's depth ", filter_depth);
    const int64_t groups = depth / filter_depth;
    Require(groups == 0 || filter.dim(3) < 0 || filter.dim(3) % groups == 0, "Conv2D: the output depth ", filter.dim(3),
            " is no multiple of the number of groups ", groups);
  }
  PartialShape output = WithDim(WithDim(PartialShape::OfRank(4), 0, input.dim(0)), channel, filter.dim(3));
  for (int i = 0; i < 2; ++i) {
    const int axis = format.Spatial(i);
    const Window window{filter.dim(i), strides[axis], dilations[axis], PadsOf(paddings, axis)};
    output = WithDim(output, axis, CountWindows(c, input.dim(axis), window, padding));
  }
  return {output};
}

namespace {

PartialShape ImageShape(const ShapeContext& c, int i) {
  const PartialShape shape = ConstantShape(c, i);
  Require(!shape.has_rank() || shape.rank() == 4, InputName(c, i), " must describe four dimensions, not ",
          shape.ToString());
  return shape.has_rank() ? shape : PartialShape::OfRank(4);
}

}  // namespace

// The sizes are those of the whole input, or only its height and width.
Shapes Conv2DBackpropInput(const ShapeContext& c) {
  const PartialShape sizes = ConstantShape(c, 0);
  if (!sizes.has_rank() || sizes.rank() != 2) return {ImageShape(c, 0)};
  const Format format = FormatOf(c);
  PartialShape output = WithDim(PartialShape::OfRank(4), 0, WithRank(c, 2, 4).dim(0));
  output = WithDim(output, format.Channel(4), WithRank(c, 1, 4).dim(2));
  for (int i = 0; i < 2; ++i) output = WithDim(output, format.Spatial(i), sizes.dim(i));
  return {output};
}

Shapes Conv2DBackpropFilter(const ShapeContext& c) { return {ImageShape(c, 1)}; }

namespace {

// Pools the dimensions for which `ksize` has a window; the batch is never pooled.
PartialShape Pool(const ShapeContext& c, const std::vector<int64_t>& paddings, bool over_channels) {
  const PartialShape input = WithRank(c, 0, 4);
  const auto& ksize = FourValues(c, "ksize");
  const auto& strides = FourValues(c, "strides");
  const auto& padding = c.attr<std::string>("padding");
  const Format format = FormatOf(c);
  PartialShape output = input;
  for (int axis = 1; axis < 4; ++axis) {
    if (axis == format.Channel(4) && !over_channels) continue;
    const Window window{ksize[axis], strides[axis], 1, PadsOf(paddings, axis)};
    Require(window.size > 0, c.op().name, ": ksize must be positive, not ", window.size);
    output = WithDim(output, axis, CountWindows(c, input.dim(axis), window, padding));
  }
  return output;
}

}  // namespace

Shapes MaxPool(const ShapeContext& c) { return {Pool(c, ExplicitPaddings(c, c.attr<std::string>("padding")), true)}; }

Shapes AvgPool(const ShapeContext& c) { return {Pool(c, {}, false)}; }

Shapes AvgPoolGrad(const ShapeContext& c) { return {ImageShape(c, 0)}; }

Shapes BiasAdd(const ShapeContext& c) {
  const Format format = FormatOf(c);
  const PartialShape& value = WithRankAtLeast(c, 0, format.channels_first ? 3 : 2);
  const PartialShape bias = WithRank(c, 1, 1);
  if (!value.has_rank()) return {value};
  const int channel = format.Channel(value.rank());
  return {WithDim(value, channel, MergeDims(c, value.dim(channel), bias.dim(0)))};
}

Shapes BiasAddGrad(const ShapeContext& c) {
  const Format format = FormatOf(c);
  const PartialShape& value = WithRankAtLeast(c, 0, format.channels_first ? 3 : 2);
  if (!value.has_rank()) return {PartialShape::OfRank(1)};
  return {PartialShape{value.dim(format.Channel(value.rank()))}};
}

namespace {

// Rank 4, or for the third version also 5 (its data_format names the dimensions).
PartialShape BatchNormInput(const ShapeContext& c, int i) {
  return WithRank(c, i, static_cast<int>(c.attr<std::string>("data_format").size()));
}

}  // namespace

Shapes FusedBatchNorm(const ShapeContext& c) {
  const PartialShape x = BatchNormInput(c, 0);
  const int channel = FormatOf(c).Channel(x.rank());
  int64_t channels = x.dim(channel);
  // While training, mean and variance are not looked at and may be empty.
  const int vectors = c.attr<bool>("is_training") ? 2 : 4;
  for (int i = 1; i <= vectors; ++i) channels = MergeDims(c, channels, WithRank(c, i, 1).dim(0));
  Shapes outputs = {WithDim(x, channel, channels)};
  outputs.resize(5, PartialShape{channels});
  if (c.num_outputs() == 6) outputs.push_back(PartialShape::Unknown());
  return outputs;
}

Shapes FusedBatchNormGrad(const ShapeContext& c) {
  const PartialShape y_backprop = BatchNormInput(c, 0);
  const PartialShape x = BatchNormInput(c, 1);
  const int channel = FormatOf(c).Channel(x.rank());
  int64_t channels = MergeDims(c, y_backprop.dim(channel), x.dim(channel));
  for (int i = 2; i < 5; ++i) channels = MergeDims(c, channels, WithRank(c, i, 1).dim(0));
  return {WithDim(MergeInputs(c, 0, 1).has_rank() ? MergeInputs(c, 0, 1) : x, channel, channels),
          PartialShape{channels}, PartialShape{channels}, PartialShape{0}, PartialShape{0}};
}

}  // namespace plumb::shape_rules
