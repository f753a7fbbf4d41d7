#include "fastpath/cpu/checkpoint/slice_copy.h"

#include <algorithm>
#include <numeric>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/strided_copy.h"

namespace plumb::fast::cpu {
namespace {

struct Range {
  int64_t begin;
  int64_t end;
  int64_t size() const { return std::max<int64_t>(end - begin, 0); }
  bool operator==(const Range&) const = default;
};

Range RangeOf(const TensorSlice& slice, const Shape& shape, int axis) {
  const Extent& extent = slice.extents[axis];
  return {extent.start, extent.End(shape[axis])};
}

Range Common(const TensorSlice& a, const TensorSlice& b, const Shape& shape, int axis) {
  const Range x = RangeOf(a, shape, axis), y = RangeOf(b, shape, axis);
  return {std::max(x.begin, y.begin), std::min(x.end, y.end)};
}

}  // namespace

bool IsSameRegion(const TensorSlice& a, const TensorSlice& b, const Shape& shape) {
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (RangeOf(a, shape, axis) != RangeOf(b, shape, axis)) return false;
  }
  return true;
}

std::vector<size_t> PartsFor(const TensorSlice& wanted, const std::vector<TensorSlice>& parts, const Shape& shape,
                             const std::string& name) {
  for (size_t i = 0; i < parts.size(); ++i) {
    if (IsSameRegion(parts[i], wanted, shape)) return {i};
  }
  int64_t missing = ShapeOfSlice(wanted, shape).elements();
  std::vector<size_t> chosen;
  for (size_t i = 0; i < parts.size() && missing > 0; ++i) {
    int64_t common = 1;
    for (int axis = 0; axis < shape.rank(); ++axis) common *= Common(wanted, parts[i], shape, axis).size();
    if (common > 0) chosen.push_back(i);
    missing -= common;
  }
  Require(missing == 0, "the checkpoint lacks parts of '", name, "' for the slice ", wanted.ToString());
  return chosen;
}

void CopyCommon(ThreadPool& pool, const Shape& shape, const TensorSlice& from_slice, const Tensor& from,
                const TensorSlice& to_slice, Tensor& to) {
  const Strides from_strides(from.shape()), to_strides(to.shape());
  CopyPlan plan;
  int64_t from_offset = 0, to_offset = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const Range common = Common(from_slice, to_slice, shape, axis);
    from_offset += (common.begin - from_slice.extents[axis].start) * from_strides[axis];
    to_offset += (common.begin - to_slice.extents[axis].start) * to_strides[axis];
    plan.Append(common.size(), from_strides[axis], to_strides[axis]);
  }
  CopyStrided(pool, to.dtype(), plan, At(from.raw(), to.dtype(), from_offset),
              At(to.mutable_raw(), to.dtype(), to_offset));
}

ShapeAndSlice PlaceOf(const Tensor& tensor, const std::string& text) {
  if (text.empty()) return {tensor.shape(), TensorSlice::Whole(tensor.rank()), tensor.shape()};
  ShapeAndSlice place = ParseShapeAndSlice(text);
  Require(place.slice_shape == tensor.shape(), "the slice in '", text, "' has the shape ", Printed(place.slice_shape),
          ", the tensor to save has ", Printed(tensor.shape()));
  return place;
}

TensorSlice WantedOf(const Shape& stored, const std::string& text, const std::string& name) {
  if (text.empty()) return TensorSlice::Whole(stored.rank());
  ShapeAndSlice wanted = ParseShapeAndSlice(text);
  Require(wanted.shape == stored, "'", name, "' has the shape ", Printed(stored), " in the checkpoint, but ",
          Printed(wanted.shape), " in '", text, "'");
  return std::move(wanted.slice);
}

std::vector<int> OrderOf(std::span<const std::string> names) {
  std::vector<int> order(names.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return names[a] < names[b]; });
  return order;
}

}  // namespace plumb::fast::cpu
