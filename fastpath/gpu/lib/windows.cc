#include "fastpath/gpu/lib/windows.h"

#include <algorithm>
#include <limits>

#include "spec/graph/int32_attr.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

constexpr int64_t kMost = std::numeric_limits<int32_t>::max();

Padding PaddingOf(const Node& node) {
  const auto& padding = GetAttr<std::string>(node.attrs, "padding");
  if (padding == "SAME") return Padding::kSame;
  if (padding == "VALID") return Padding::kValid;
  Require(padding == "EXPLICIT", "no padding is called ", padding);
  return Padding::kExplicit;
}

void RequirePositive(int64_t number, std::string_view what) {
  Require(number > 0 && number <= kMost, "the ", what, " of a window must be positive and fit into int32, not ",
          number);
}

}  // namespace

std::vector<int64_t> IntsOfAxes(const Node& node, std::string_view attr, int axes) {
  const std::vector<int64_t>& list = Int32List(node, attr);
  Require(std::ssize(list) == axes, attr, " must have ", axes, " entries, not ", list.size());
  return list;
}

void RequireShape(const Tensor& tensor, const Shape& shape, std::string_view what) {
  Require(tensor.shape() == shape, what, " has the shape ", tensor.shape().ToString(), ", not ", shape.ToString());
}

Windows::Windows(const Node& node, int space)
    : space_(space),
      strides_(IntsOfAxes(node, "strides", space + 2)),
      dilations_(strides_.size(), 1),
      explicit_(2 * strides_.size(), 0),
      padding_(PaddingOf(node)) {
  const std::string last = space == 3 ? "NDHWC" : "NHWC", first = space == 3 ? "NCDHW" : "NCHW";
  const auto format = GetAttrOr<std::string>(node.attrs, "data_format", last);
  Require(format == last || format == first, "data_format must be ", last, " or ", first, ", not ", format);
  channels_first_ = format == first;
  if (node.attrs.contains("dilations")) dilations_ = IntsOfAxes(node, "dilations", axes());
  const auto amounts = GetAttrOr<std::vector<int64_t>>(node.attrs, "explicit_paddings", {});
  Require((padding_ == Padding::kExplicit ? explicit_.size() : 0) == amounts.size(), "explicit_paddings must have ",
          explicit_.size(), " entries for the padding EXPLICIT and none for others, not ", amounts.size());
  std::copy(amounts.begin(), amounts.end(), explicit_.begin());
  for (const int64_t amount : amounts) {
    Require(amount >= 0 && amount <= kMost, "an explicit padding is negative or beyond int32: ", amount);
  }
  Require(most_padding(0) == 0 && most_padding(depth()) == 0, "batch and depth cannot be padded");
}

int64_t Windows::most_padding(int axis) const {
  const auto at = static_cast<size_t>(2 * axis);
  return std::max(explicit_.at(at), explicit_.at(at + 1));
}

ImageBatch Windows::BatchOf(const Shape& shape) const {
  Require(shape.rank() == axes(), "a batch of images has ", axes(), " dimensions, not the shape ", shape.ToString());
  const bool is_volume = space_ == 3;
  return {shape[0], shape[rows()], shape[columns()], shape[depth()], channels_first_, is_volume ? shape[planes()] : 1,
          is_volume};
}

WindowAxis Windows::Place(int axis, int64_t input, int64_t window) const {
  WindowAxis placed = PlaceAnywhere(axis, input, window);
  placed.is_short = placed.input <= kMost - placed.before && placed.stride <= kMost;
  if (placed.is_short) placed.by = Divisor(static_cast<uint32_t>(placed.stride));
  return placed;
}

WindowAxis Windows::PlaceAnywhere(int axis, int64_t input, int64_t window) const {
  WindowAxis placed{input, window, stride(axis), dilation(axis), 0, 0};
  Require(window >= 0 && window <= kMost, "the size of a window must be in [0, 2^31), not ", window);
  RequirePositive(placed.stride, "stride");
  RequirePositive(placed.dilation, "dilation");
  const int64_t extent = (window - 1) * placed.dilation + 1;
  if (padding_ == Padding::kSame) {
    placed.output = (input + placed.stride - 1) / placed.stride;
    placed.before = std::max<int64_t>(0, (placed.output - 1) * placed.stride + extent - input) / 2;
    return placed;
  }
  const auto at = static_cast<size_t>(2 * axis);
  placed.before = explicit_.at(at);
  const int64_t padded = input + explicit_.at(at) + explicit_.at(at + 1), room = padded - extent + placed.stride;
  Require(room > -placed.stride, "a window that extends over ", extent, " does not fit into ", padded);
  placed.output = room / placed.stride;
  return placed;
}

}  // namespace plumb::fast::GPU_NAMESPACE
