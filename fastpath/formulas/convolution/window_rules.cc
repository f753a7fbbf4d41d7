#include "fastpath/formulas/convolution/window_rules.h"

#include <algorithm>
#include <string>
#include <vector>

#include "spec/graph/int32_attr.h"

namespace plumb::fast {
namespace {

// The axes of an image's batch.
struct ImageAxes {
  bool nchw;
  size_t depth() const { return nchw ? 1 : 3; }
  size_t rows() const { return nchw ? 2 : 1; }
  size_t columns() const { return nchw ? 3 : 2; }
};
ImageAxes AxesOf(const Node& node) { return {GetAttrOr<std::string>(node.attrs, "data_format", "NHWC") == "NCHW"}; }

}  // namespace

Error UnsupportedPooling(const Node& node, std::string_view what) {
  return Error(AxesOf(node).nchw ? Code::kInvalidArgument : Code::kUnimplemented, Str(what));
}

void CheckPooling(const Node& node, SizeChecks checks) {
  const std::vector<int64_t>&sizes = Int32List(node, "ksize"), &strides = Int32List(node, "strides");
  const size_t depth = AxesOf(node).depth();
  const auto require_sizes = [&] {
    for (const int64_t size : sizes) Require(size > 0, "ksize must be positive, not ", size);
  };
  if (checks == SizeChecks::kSizesThenBatch) require_sizes();
  if (sizes.at(0) != 1 || strides.at(0) != 1) throw UnsupportedPooling(node, "pooling over the batch");
  if (checks == SizeChecks::kBatchThenSizes) require_sizes();
  if (checks == SizeChecks::kBatchThenDepth && (sizes.at(depth) != 1 || strides.at(depth) != 1)) {
    throw UnsupportedPooling(node, "the gradient of pooling over channels");
  }
}

int64_t PooledChannels(const Node& node, int64_t channels) {
  const ImageAxes axes = AxesOf(node);
  const auto& sizes = GetAttr<std::vector<int64_t>>(node.attrs, "ksize");
  const auto& strides = GetAttr<std::vector<int64_t>>(node.attrs, "strides");
  const int64_t window = sizes.at(axes.depth()), stride = strides.at(axes.depth());
  if (window == 1) return channels;
  if (sizes.at(axes.rows()) != 1 || sizes.at(axes.columns()) != 1) {
    throw UnsupportedPooling(node, "pooling over channels and over the plane at once");
  }
  if (window < 1 || window != stride || channels % window != 0) {
    throw UnsupportedPooling(node,
                             Str("windows of ", window, " channels, ", stride, " apart, do not divide ", channels));
  }
  return channels / window;
}

std::array<int64_t, 5> FiveInts(const Node& node, std::string_view attr) {
  const std::vector<int64_t>& list = Int32List(node, attr);
  Require(list.size() == 5, attr, " must have 5 entries, not ", list.size());
  std::array<int64_t, 5> ints;
  std::copy(list.begin(), list.end(), ints.begin());
  return ints;
}

bool HasVolumeChannelsFirst(const Node& node) {
  const auto format = GetAttrOr<std::string>(node.attrs, "data_format", "NDHWC");
  Require(format == "NDHWC" || format == "NCDHW", "data_format must be NDHWC or NCDHW, not ", format);
  return format == "NCDHW";
}

void CheckVolumePooling(const Node& node, bool sizes_first) {
  const std::array<int64_t, 5> sizes = FiveInts(node, "ksize"), strides = FiveInts(node, "strides");
  const bool channels_first = HasVolumeChannelsFirst(node);
  const auto require_sizes = [&] {
    for (const int64_t size : sizes) Require(size > 0, "ksize must be positive, not ", size);
  };
  if (sizes_first) require_sizes();
  for (const size_t axis : {size_t{0}, size_t{channels_first ? 1U : 4U}}) {
    if (sizes[axis] == 1 && strides[axis] == 1) continue;
    throw Error(channels_first ? Code::kInvalidArgument : Code::kUnimplemented, Str("pooling over batch or channels"));
  }
  require_sizes();
}

void CheckVolumeConvolution(const Node& node) {
  const size_t depth = HasVolumeChannelsFirst(node) ? 1 : 4;
  for (const std::string_view name : {"strides", "dilations"}) {
    if (!node.attrs.contains(name)) continue;
    const std::array<int64_t, 5> steps = FiveInts(node, name);
    Require(steps[0] == 1 && steps[depth] == 1, name, " over batch and channels must be 1");
    for (const int64_t step : steps) {
      Require(step > 0, name, " must be positive, not ", step);
    }
  }
}

void CheckVolumeFilter(int64_t channels, const Shape& filter) {
  Require(filter.rank() == 5, "a filter has 5 dimensions, not the shape ", filter.ToString());
  Require(channels == filter[3], "the volumes have ", channels, " channels, the filter is for ", filter[3]);
}

void CheckHasWeights(const Shape& filter) {
  Require(filter.elements() > 0, "the filter is empty: ", filter.ToString());
}

void CheckGradientWeights(const Shape& volumes, const Shape& filter, const std::array<int64_t, 3>& output) {
  Require(filter[3] > 0, "the filter is for no channels: ", filter.ToString());
  const auto is_empty = [](int64_t a, int64_t b, int64_t c) { return a == 0 || b == 0 || c == 0; };
  const int empty = is_empty(filter[0], filter[1], filter[2]) + is_empty(output[0], output[1], output[2]) +
                    static_cast<int>(filter[4] == 0);
  Require(empty <= 1 || volumes.elements() == 0, "the filter is empty: ", filter.ToString(), ", for an output of ",
          output[0], " by ", output[1], " by ", output[2], " places");
}

void CheckDilation(const Node& node) {
  for (const std::string_view name : {"strides", "rates"}) {
    const std::vector<int64_t>& steps = Int32List(node, name);
    Require(steps.size() == 4, name, " must have 4 entries, not ", steps.size());
    if (steps[0] != 1 || steps[3] != 1) {
      throw Unimplemented(name, " over batch and channels");
    }
  }
}

void CheckDilated(const Shape& images, const Shape& filter) {
  Require(images.rank() == 4 && filter.rank() == 3, "images have 4 dimensions and their filter 3, not ",
          images.ToString(), " and ", filter.ToString());
  Require(images[3] == filter[2], "the images have ", images[3], " channels, the filter is for ", filter[2]);
}

}  // namespace plumb::fast
