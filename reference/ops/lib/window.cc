#include "reference/ops/lib/window.h"

#include <algorithm>
#include <array>

#include "reference/numbers/index.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {

std::vector<std::vector<Tap>> Window::TapsBy(int64_t Tap::*member) const {
  const int64_t groups = member == &Tap::in ? in : member == &Tap::out ? out : kernel;
  CheckResultSize({std::max(groups, out)});
  std::vector<std::vector<Tap>> taps(groups);
  for (int64_t o = 0; o < out; ++o) {
    const int64_t start = o * stride - before;  // input position under kernel position 0
    const int64_t first = start >= 0 ? 0 : (-start + dilation - 1) / dilation;
    for (int64_t k = first; k < kernel && start + k * dilation < in; ++k) {
      const Tap tap{start + k * dilation, o, k};
      taps[tap.*member].push_back(tap);
    }
  }
  return taps;
}

Window MakeWindow(int64_t in, int64_t kernel, int64_t stride, int64_t dilation, const Padding& padding) {
  const auto check = [](int64_t number, int64_t least, std::string_view what) {
    Require(least <= number && number <= INT32_MAX, "the ", what, " of a window must be in [", least, ", 2^31), not ",
            number);
  };
  check(kernel, 0, "size");
  check(stride, 1, "stride");
  check(dilation, 1, "dilation");
  Window window{in, kernel, stride, dilation, padding.before, 0};
  const Integer extent = Integer(kernel - 1) * dilation + 1;
  if (padding.kind == "SAME") {
    window.out = in / stride + (in % stride != 0);
    const Integer total = Integer(window.out - 1) * stride + extent - in;
    window.before = total > 0 ? static_cast<int64_t>(total / 2) : 0;
    return window;
  }
  const Integer padded = Integer(in) + padding.before + padding.after;
  const Integer room = padded - extent + stride;
  Require(room > -Integer(stride), "a window of ", static_cast<int64_t>(extent), " does not fit into ",
          static_cast<int64_t>(padded), " positions: the computed output size would be negative");
  window.out = static_cast<int64_t>(room / stride);  // T8: towards zero
  return window;
}

ImageLayout LayoutOf(const Node& node) {
  const std::string format = GetAttrOr<std::string>(node.attrs, "data_format", "NHWC");
  Require(format == "NHWC" || format == "NCHW", "data_format must be NHWC or NCHW, not ", format);
  return format == "NHWC" ? ImageLayout{0, 1, 2, 3} : ImageLayout{0, 2, 3, 1};
}

namespace {
std::array<int, 4> AxesOf(const ImageLayout& layout) {
  return {layout.batch, layout.height, layout.width, layout.channels};
}
}  // namespace

Shape ToNhwc(const Shape& shape, const ImageLayout& layout) {
  Require(shape.rank() == 4, "an image tensor has four dimensions, not the shape ", shape.ToString());
  std::vector<int64_t> dims;
  for (const int axis : AxesOf(layout)) dims.push_back(shape.dim(axis));
  return Shape(dims);
}

Shape FromNhwc(const Shape& shape, const ImageLayout& layout) {
  std::vector<int64_t> dims(4);
  const auto axes = AxesOf(layout);
  for (int i = 0; i < 4; ++i) dims[axes[i]] = shape.dim(i);
  return Shape(dims);
}

Value ToNhwc(const Value& value, const ImageLayout& layout) {
  const Shape shape = ToNhwc(value.tensor.shape(), layout);
  const auto own = Strides(value.tensor.shape());
  std::vector<int64_t> strides;
  for (const int axis : AxesOf(layout)) strides.push_back(own[axis]);
  return layout.channels == 3 ? value : Gathered(value, shape, Positions(shape, strides));
}

Value FromNhwc(const Value& value, const ImageLayout& layout) {
  const Shape shape = FromNhwc(value.tensor.shape(), layout);
  const auto to = Strides(shape);
  std::vector<int64_t> strides;
  for (const int axis : AxesOf(layout)) strides.push_back(to[axis]);
  return layout.channels == 3 ? value : Scattered(value, shape, Positions(value.tensor.shape(), strides));
}

std::vector<int64_t> FourInts(const Node& node, std::string_view name) {
  auto list = Int32List(node, name);
  Require(list.size() == 4, name, " must have four entries, not ", list.size());
  return list;
}

namespace {
std::vector<int64_t> ExplicitPaddings(const Node& node) {
  return GetAttrOr<std::vector<int64_t>>(node.attrs, "explicit_paddings", {});
}

void RefuseIdlePaddings(const Node& node) {
  const auto& kind = GetAttr<std::string>(node.attrs, "padding");
  Require(kind == "EXPLICIT" || ExplicitPaddings(node).empty(), "explicit_paddings are for padding EXPLICIT, not ",
          kind);
}
}  // namespace

Padding PaddingOf(const Node& node, int axis) {
  Padding padding{GetAttr<std::string>(node.attrs, "padding")};
  if (padding.kind != "EXPLICIT") return padding;
  const auto amounts = ExplicitPaddings(node);
  Require(amounts.size() == 8, "explicit_paddings must have eight entries, not ", amounts.size());
  padding.before = amounts[2 * axis];
  padding.after = amounts[2 * axis + 1];
  const ImageLayout layout = LayoutOf(node);
  for (const int unpadded : {layout.batch, layout.channels}) {
    const int64_t before = amounts[2 * unpadded], after = amounts[2 * unpadded + 1];
    Require(before == 0 && after == 0, "explicit_paddings of batch and channels must be 0, not ", before, " and ",
            after);
  }
  Require(0 <= padding.before && padding.before <= INT32_MAX && 0 <= padding.after && padding.after <= INT32_MAX,
          "explicit_paddings must not be negative or beyond int32: ", padding.before, ", ", padding.after);
  return padding;
}

void CheckPaddings(const Node& node) {
  RefuseIdlePaddings(node);
  CheckExplicitPaddings(node);
}

void CheckExplicitPaddings(const Node& node) {
  const ImageLayout layout = LayoutOf(node);
  for (const int axis : {layout.height, layout.width}) PaddingOf(node, axis);
}

}  // namespace plumb::reference
