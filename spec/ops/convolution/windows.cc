#include "spec/ops/convolution/windows.h"

#include <algorithm>

#include "spec/graph/int32_attr.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {

const std::vector<int64_t>& FourValues(const ShapeContext& c, std::string_view name) {
  const std::vector<int64_t>& values = Int32List(c.attrs(), name);
  Require(values.size() == 4, c.op().name, ": the attribute '", name, "' must have 4 values, not ", values.size());
  return values;
}

int64_t CountWindows(const ShapeContext& c, int64_t input, const Window& window, std::string_view padding) {
  Require(window.stride > 0, c.op().name, ": strides must be positive, not ", window.stride);
  Require(window.dilation > 0, c.op().name, ": dilations must be positive, not ", window.dilation);
  if (padding == "SAME") {
    return input < 0 ? -1 : input / window.stride + (input % window.stride != 0 ? 1 : 0);
  }
  if (input < 0 || window.size < 0) return -1;
  // An empty window extends over nothing, and cannot be spread.
  const int64_t effective = window.dilation == 1
                                ? window.size
                                : AddSizes(MultiplySizes(c, SubtractSizes(c, window.size, 1), window.dilation), 1);
  return SubtractSizes(c, AddSizes(input, window.pads), effective) / window.stride + 1;
}

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

PartialShape ImageShape(const ShapeContext& c, int i) {
  const PartialShape shape = ConstantShape(c, i);
  Require(!shape.has_rank() || shape.rank() == 4, InputName(c, i), " must describe four dimensions, not ",
          shape.ToString());
  return shape.has_rank() ? shape : PartialShape::OfRank(4);
}

PartialShape Pooled(const ShapeContext& c, const std::vector<int64_t>& paddings, bool over_channels) {
  return Pooled(c, FourValues(c, "ksize"), FourValues(c, "strides"), paddings, over_channels);
}

PartialShape Pooled(const ShapeContext& c, const std::vector<int64_t>& ksize, const std::vector<int64_t>& strides,
                    const std::vector<int64_t>& paddings, bool over_channels) {
  const PartialShape input = WithRank(c, 0, 4);
  const auto& padding = c.attr<std::string>("padding");
  const Format format = FormatOf(c);
  PartialShape output = input;
  for (int axis = 1; axis < 4; ++axis) {
    if (axis == format.Channel(4)) {
      // The stride of windows that are one channel deep has to be a stride, and is not looked at further.
      Require(!over_channels || strides[axis] > 0, c.op().name, ": strides must be positive, not ", strides[axis]);
      if (!over_channels || ksize[axis] == 1) continue;
    }
    const Window window{ksize[axis], strides[axis], 1, PadsOf(paddings, axis)};
    output = WithDim(output, axis, CountWindows(c, input.dim(axis), window, padding));
  }
  return output;
}

}  // namespace plumb::topics
