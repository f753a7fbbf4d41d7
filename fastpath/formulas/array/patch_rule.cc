#include "fastpath/formulas/array/patch_rule.h"

#include <algorithm>
#include <string>

#include "spec/graph/int32_attr.h"

namespace plumb::fast {

PatchRule::PatchRule(const Node& node, int rank)
    : rank_(rank), same_(GetAttr<std::string>(node.attrs, "padding") == "SAME") {
  ksizes_ = Read(node, "ksizes");
  strides_ = Read(node, "strides");
  rates_ = node.attrs.contains("rates") ? Read(node, "rates") : std::vector<int64_t>(ksizes_.size(), 1);
}

std::vector<int64_t> PatchRule::Read(const Node& node, std::string_view name) const {
  const auto& given = GetAttr<std::vector<int64_t>>(node.attrs, name);
  Require(std::ssize(given) == rank_, name, " must have ", rank_, " values, not ", given.size());
  for (const int64_t value : given) AsInt32(node, name, value);
  if (given.front() != 1 || given.back() != 1) {
    throw Unimplemented(name, " must be 1 along the batch and along the depth");
  }
  std::vector<int64_t> values(given.begin() + 1, given.end() - 1);
  for (const int64_t value : values) {
    if (value >= 1) continue;
    throw Error(Code::kOutOfRange, Str(name, " must be positive, not ", value));
  }
  return values;
}

// A window that lacks less than a stride of room fits nowhere, one that lacks more is refused.
PatchAxis PatchRule::Placed(size_t i, int64_t input) const {
  PatchAxis axis{input, ksizes_[i], strides_[i], rates_[i], 0, 0};
  const int64_t extent = (axis.window - 1) * axis.rate + 1;
  if (same_) {
    axis.output = input / axis.stride + (input % axis.stride != 0 ? 1 : 0);
    // Volumes that the windows do not fill are padded by less than nothing: what is left over is cut off on both sides.
    const int64_t lacking = (axis.output - 1) * axis.stride + extent - input;
    axis.before = rank_ == 5 ? lacking / 2 : std::max<int64_t>(0, lacking) / 2;
    return axis;
  }
  Require(input - extent > -2 * axis.stride, "a window of ", extent, " does not fit into ", input, " positions");
  axis.output = (input - extent + axis.stride) / axis.stride;
  return axis;
}

PatchPlaces PatchRule::PlacesIn(const Shape& images) const {
  Require(images.rank() == rank_, "the input must have ", rank_, " dimensions, not the shape ", images.ToString());
  PatchPlaces places;
  places.batch = images[0];
  places.depth = images[rank_ - 1];
  std::vector<int64_t> dims{places.batch};
  int64_t width = places.depth;
  for (size_t i = 0; i < ksizes_.size(); ++i) {
    PatchAxis& axis = places.axes.at(i + places.axes.size() - ksizes_.size());
    axis = Placed(i, images[static_cast<int>(i) + 1]);
    Require(!__builtin_mul_overflow(width, axis.window, &width), "the patches are too large");
    dims.push_back(axis.output);
  }
  dims.push_back(width);
  places.shape = Shape(dims);
  return places;
}

}  // namespace plumb::fast
