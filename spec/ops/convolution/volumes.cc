#include "spec/ops/convolution/volumes.h"

#include "spec/graph/int32_attr.h"

namespace plumb::topics {

const std::vector<int64_t>& FiveValues(const ShapeContext& c, std::string_view name) {
  const std::vector<int64_t>& values = Int32List(c.attrs(), name);
  Require(values.size() == 5, c.op().name, ": the attribute '", name, "' must have 5 values, not ", values.size());
  return values;
}

PartialShape VolumeShape(const ShapeContext& c, int i) {
  const PartialShape shape = ConstantShape(c, i);
  Require(!shape.has_rank() || shape.rank() == 5, InputName(c, i), " must describe five dimensions, not ",
          shape.ToString());
  return shape.has_rank() ? shape : PartialShape::OfRank(5);
}

PartialShape Slid(const ShapeContext& c, const std::vector<int64_t>& sizes, int64_t channels) {
  const PartialShape input = WithRank(c, 0, 5);
  const auto& strides = FiveValues(c, "strides");
  const bool dilated = c.attrs().contains("dilations");
  const auto& padding = c.attr<std::string>("padding");
  const bool channels_first = c.attr<std::string>("data_format") == "NCDHW";
  PartialShape output = WithDim(input, channels_first ? 1 : 4, channels);
  for (int i = 0; i < 3; ++i) {
    const int axis = (channels_first ? 2 : 1) + i;
    const Window window{sizes[i], strides[axis], dilated ? FiveValues(c, "dilations")[axis] : 1, 0};
    output = WithDim(output, axis, CountWindows(c, input.dim(axis), window, padding));
  }
  return output;
}

Shapes PooledVolume(const ShapeContext& c) {
  const bool channels_first = c.attr<std::string>("data_format") == "NCDHW";
  const auto& ksize = FiveValues(c, "ksize");
  const int first = channels_first ? 2 : 1;
  const std::vector<int64_t> sizes(ksize.begin() + first, ksize.begin() + first + 3);
  return {Slid(c, sizes, WithRank(c, 0, 5).dim(channels_first ? 1 : 4))};
}

}  // namespace plumb::topics
