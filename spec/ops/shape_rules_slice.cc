#include <algorithm>

#include "spec/ops/shape_helpers.h"
#include "spec/ops/shape_rules.h"

namespace plumb::shape_rules {

Shapes Slice(const ShapeContext& c) {
  const int64_t begins = WithRank(c, 1, 1).dim(0);
  const int64_t count = MergeDims(c, begins, WithRank(c, 2, 1).dim(0));
  const PartialShape& input = c.input(0);
  Require(count < 0 || !input.has_rank() || count == input.rank(), InputName(c, 1), " has ", count,
          " values for the shape ", input.ToString());
  Require(count <= kMaxRank, "Slice: ", count, " dimensions are too many");
  const int rank = input.has_rank() ? input.rank() : static_cast<int>(count);
  if (rank < 0) return {input};
  const auto begin = ConstantInts(c, 1);
  const auto size = ConstantInts(c, 2);
  std::vector<int64_t> dims(rank, -1);
  for (int axis = 0; size && axis < rank; ++axis) {
    const int64_t wanted = (*size)[axis];
    Require(wanted >= -1, "Slice: the size ", wanted, " of the dimension ", axis, " is negative");
    dims[axis] = wanted >= 0 || !begin ? wanted : SubtractSizes(c, input.dim(axis), (*begin)[axis]);
  }
  return {PartialShape(std::move(dims))};
}

namespace {

using Ints = std::optional<std::vector<int64_t>>;

// The numbers that say a strided slice. Slot i of the specification is an ellipsis, a new dimension, an index that
// drops its dimension, or a range, in this order of precedence.
struct StridedSpec {
  Ints begin;
  Ints end;
  std::vector<int64_t> strides;
  int64_t begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask;

  static bool Has(int64_t mask, size_t slot) { return slot < 63 && ((mask >> slot) & 1) != 0; }
  bool IsEllipsis(size_t slot) const { return Has(ellipsis_mask, slot); }
  bool IsNewAxis(size_t slot) const { return Has(new_axis_mask, slot); }
  bool IsIndex(size_t slot) const { return Has(shrink_axis_mask, slot); }
};

// `position` counted from the front and clamped to where a walk with this stride can start or end.
int64_t Clamp(int64_t position, int64_t dim, int64_t stride) {
  const int64_t forward = position < 0 ? position + dim : position;
  return stride > 0 ? std::clamp<int64_t>(forward, 0, dim) : std::clamp<int64_t>(forward, -1, dim - 1);
}

// How many elements a range takes of a dimension; -1: unknown.
int64_t RangeSize(const StridedSpec& spec, size_t slot, int64_t dim) {
  const bool from_start = StridedSpec::Has(spec.begin_mask, slot);
  const bool to_end = StridedSpec::Has(spec.end_mask, slot);
  if (dim < 0 || (!from_start && !spec.begin) || (!to_end && !spec.end)) return -1;
  const int64_t stride = spec.strides[slot];
  const int64_t first = stride > 0 ? 0 : dim - 1;
  const int64_t last = stride > 0 ? dim : -1;
  const int64_t begin = from_start ? first : Clamp((*spec.begin)[slot], dim, stride);
  const int64_t end = to_end ? last : Clamp((*spec.end)[slot], dim, stride);
  const int64_t interval = end - begin;
  if (interval == 0 || (interval < 0) != (stride < 0)) return 0;
  return interval / stride + (interval % stride != 0 ? 1 : 0);
}

void CheckIndex(const StridedSpec& spec, size_t slot, int64_t dim, int axis) {
  Require(spec.strides[slot] > 0, "StridedSlice: only a positive stride goes with a single index (slot ", slot, ")");
  if (!spec.begin || StridedSpec::Has(spec.begin_mask, slot) || dim < 0) return;
  const int64_t index = (*spec.begin)[slot];
  Require(index >= -dim && index < dim, "StridedSlice: the index ", index, " of the dimension ", axis,
          " is out of bounds of its size ", dim);
}

// How many of the input's dimensions the ellipsis stands for; a missing one stands for those at the end.
int EllipsisSize(const StridedSpec& spec, int rank) {
  int named = 0;
  int ellipses = 0;
  for (size_t slot = 0; slot < spec.strides.size(); ++slot) {
    if (spec.IsEllipsis(slot)) {
      ++ellipses;
    } else if (!spec.IsNewAxis(slot)) {
      ++named;
    }
  }
  Require(ellipses <= 1, "StridedSlice: only one ellipsis is allowed");
  Require(named <= rank, "StridedSlice: ", named, " dimensions are indexed, but the input has ", rank);
  return rank - named;
}

PartialShape SlicedShape(const StridedSpec& spec, const PartialShape& input) {
  const int hidden = EllipsisSize(spec, input.rank());
  std::vector<int64_t> dims;
  int axis = 0;
  for (size_t slot = 0; slot < spec.strides.size(); ++slot) {
    Require(spec.strides[slot] != 0, "StridedSlice: the stride of slot ", slot, " is 0");
    if (spec.IsEllipsis(slot)) {
      for (int i = 0; i < hidden; ++i) dims.push_back(input.dim(axis++));
    } else if (spec.IsNewAxis(slot)) {
      dims.push_back(1);
    } else if (spec.IsIndex(slot)) {
      CheckIndex(spec, slot, input.dim(axis), axis);
      ++axis;
    } else {
      dims.push_back(RangeSize(spec, slot, input.dim(axis++)));
    }
  }
  while (axis < input.rank()) dims.push_back(input.dim(axis++));
  return PartialShape(std::move(dims));
}

}  // namespace

Shapes StridedSlice(const ShapeContext& c) {
  int64_t length = -1;
  for (int i = 1; i < 4; ++i) length = MergeDims(c, length, WithRank(c, i, 1).dim(0));
  const PartialShape& input = c.input(0);
  const Ints strides = ConstantInts(c, 3);
  if (!input.has_rank() || !strides) return {PartialShape::Unknown()};
  StridedSpec spec{ConstantInts(c, 1),
                   ConstantInts(c, 2),
                   *strides,
                   c.attr<int64_t>("begin_mask"),
                   c.attr<int64_t>("end_mask"),
                   c.attr<int64_t>("ellipsis_mask"),
                   c.attr<int64_t>("new_axis_mask"),
                   c.attr<int64_t>("shrink_axis_mask")};
  Require(spec.strides.size() <= 32, "StridedSlice: ", spec.strides.size(), " slots are more than 32");
  return {SlicedShape(spec, input)};
}

Shapes StridedSliceGrad(const ShapeContext& c) {
  int64_t length = -1;
  for (int i = 1; i < 4; ++i) length = MergeDims(c, length, WithRank(c, i, 1).dim(0));
  return {ConstantShape(c, 0)};
}

}  // namespace plumb::shape_rules
