#include "reference/ops/image/resizing.h"

#include <algorithm>
#include <limits>

#include "reference/numbers/index.h"

namespace plumb::reference {
namespace {

constexpr int64_t kLargestSide = std::numeric_limits<int32_t>::max();

void CheckCentersOrCorners(const Resizing& r) {
  Require(!r.half_pixel_centers || !r.align_corners, "half_pixel_centers and align_corners exclude each other");
}

Axis AxisOf(const Resizing& r, int64_t source, int64_t target) {
  return {source, target, ScaleOf(source, target, r.align_corners)};
}

Resizing Attributes(const OpContext& c) {
  Resizing r;
  // What an op does not have is false.
  const auto is_set = [&](const std::string& name) { return c.node.attrs.contains(name) && c.attr<bool>(name); };
  r.align_corners = is_set("align_corners");
  r.half_pixel_centers = is_set("half_pixel_centers");
  return r;
}

}  // namespace

float ScaleOf(int64_t source, int64_t target, bool align_corners) {
  return align_corners && target > 1 ? static_cast<float>(source - 1) / static_cast<float>(target - 1)
                                     : static_cast<float>(source) / static_cast<float>(target);
}

Resizing ForwardResizing(const OpContext& c) {
  Resizing r = Attributes(c);
  CheckCentersOrCorners(r);
  const Tensor &images = c.tensor(0), &size = c.tensor(1);
  Require(images.rank() == 4, "images must have four dimensions, not the shape ", images.shape().ToString());
  Require(size.rank() == 1 && size.elements() == 2, "size must be a vector of two, not of shape ",
          size.shape().ToString());
  const std::vector<int64_t> target = ToInt64s(size);
  Require(target[0] > 0 && target[1] > 0, "images cannot be resized to ", target[0], " x ", target[1]);
  Require(images.dim(1) > 0 && images.dim(2) > 0 && images.dim(1) <= kLargestSide && images.dim(2) <= kLargestSide &&
              images.dim(3) > 0,
          "images of shape ", images.shape().ToString(), " cannot be resized");
  r.batch = images.dim(0);
  r.channels = images.dim(3);
  r.height = AxisOf(r, images.dim(1), target[0]);
  r.width = AxisOf(r, images.dim(2), target[1]);
  return r;
}

Resizing BackwardResizing(const OpContext& c, int64_t height, int64_t width) {
  Resizing r = Attributes(c);
  const Tensor& grads = c.tensor(0);
  Require(grads.rank() == 4, "grads must have four dimensions, not the shape ", grads.shape().ToString());
  Require(grads.dim(1) > 0 && grads.dim(2) > 0 && grads.dim(1) <= kLargestSide && grads.dim(2) <= kLargestSide,
          "grads of shape ", grads.shape().ToString(), " belong to no resized image");
  Require(height > 0 && width > 0 && height <= kLargestSide && width <= kLargestSide, "images of ", height, " x ",
          width, " pixels cannot be resized");
  r.batch = grads.dim(0);
  r.channels = grads.dim(3);
  r.height = AxisOf(r, height, grads.dim(1));
  r.width = AxisOf(r, width, grads.dim(2));
  return r;
}

Resizing BackwardResizing(const OpContext& c) {
  const Tensor& original = c.tensor(1);
  Require(original.rank() == 4, "original_image must have four dimensions, not the shape ",
          original.shape().ToString());
  const Resizing r = BackwardResizing(c, original.dim(1), original.dim(2));
  CheckCentersOrCorners(r);
  return r;
}

float PlaceOf(const Resizing& resizing, const Axis& axis, int64_t i) {
  const auto at = static_cast<float>(i);
  if (!resizing.half_pixel_centers) return at * axis.scale;
  const float centre = (at + 0.5f) * axis.scale;
  return centre - 0.5f;
}

Real AsFloat(Real x) {
  const double rounded = RoundTo(DType::kFloat, x.v);
  const bool is_exact = x.e == 0 || !std::isfinite(rounded);
  return {rounded, is_exact ? x.e : x.e + UnitRoundoff(DType::kFloat) * std::fabs(rounded), x.d};
}
Real AsFloat(Integer x) {
  const auto value = static_cast<double>(x);
  const double rounded = RoundTo(DType::kFloat, value);
  // Whole numbers that double does not hold are rounded twice here.
  return {rounded, std::fabs(value) < 0x1p53 ? 0 : UnitRoundoff(DType::kFloat) * 2 * std::fabs(rounded), 0};
}

bool IsExact(const Value& value) {
  return value.bound == nullptr ||
         std::all_of(value.bound->begin(), value.bound->end(), [](double bound) { return bound == 0; });
}
Real If(bool certain, Real number) {
  if (!certain) number.e = INFINITY;
  return number;
}

Real Interpolated(Real from, Real to, Real fraction) {
  Real result = from + (to - from) * fraction;
  // The difference may overflow on the way.
  const bool finite = std::isfinite(from.v) && std::isfinite(to.v);
  if (finite && std::fabs(to.v - from.v) + to.e + from.e > arithmetic.largest) result.e = INFINITY;
  return result;
}

}  // namespace plumb::reference
