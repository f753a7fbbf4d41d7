#include "fastpath/formulas/array/strided_slice_spec.h"

#include <algorithm>
#include <bit>

#include "spec/graph/int32_attr.h"

namespace plumb::fast {
namespace {

constexpr int kNewAxis = -1;

// The specification spread over the axes of the input, with the ellipsis written out.
struct Dense {
  int count = 0;  // axes spread so far
  struct Axis {
    int64_t begin = 0, end = 0, stride = 1;
    bool from_start = true, to_end = true, shrink = false;
  };
  Axis axes[kMaxRank];
  int places = 0;  // of the result: an axis of the input, or kNewAxis
  int place[kMaxRank + 32];
};

int64_t NumberAt(const Tensor& tensor, int i) {
  switch (tensor.dtype()) {
    case DType::kInt64:
      return static_cast<const int64_t*>(tensor.raw())[i];
    case DType::kInt32:
      return static_cast<const int32_t*>(tensor.raw())[i];
    case DType::kInt16:
      return static_cast<const int16_t*>(tensor.raw())[i];
    default:
      throw InvalidArgument("a slice is said in integers, not in ", DTypeName(tensor.dtype()));
  }
}

bool Has(uint32_t mask, int bit) { return ((mask >> bit) & 1) != 0; }

void Spread(int rank, const Tensor& begin, const Tensor& end, const Tensor& strides, const StridedSliceMasks& masks,
            Dense& dense) {
  const int entries = static_cast<int>(begin.elements());
  const auto used = static_cast<uint32_t>((uint64_t{1} << entries) - 1);
  Require(std::popcount(masks.ellipsis & used) <= 1, "a slice may have one ellipsis only");
  const int ellipsis = (masks.ellipsis & used) == 0 ? entries : std::countr_zero(masks.ellipsis & used);
  int taken = 0;  // axes of the input that entries other than the ellipsis use
  for (int i = 0; i < entries; ++i) {
    if (i != ellipsis && !Has(masks.new_axis, i)) ++taken;
  }
  Require(taken <= rank, "the slice has ", taken, " indices, the input only ", rank, " dimensions");
  for (int i = 0; i <= entries; ++i) {
    if (i == ellipsis) {
      for (int rest = rank - taken; rest > 0; --rest) {
        dense.place[dense.places++] = dense.count;
        dense.axes[dense.count++] = {};
      }
    }
    if (i == ellipsis || i == entries) continue;
    if (Has(masks.new_axis, i)) {
      dense.place[dense.places++] = kNewAxis;
      continue;
    }
    if (!Has(masks.shrink_axis, i)) dense.place[dense.places++] = dense.count;
    dense.axes[dense.count++] = {NumberAt(begin, i),  NumberAt(end, i),  NumberAt(strides, i),
                                 Has(masks.begin, i), Has(masks.end, i), Has(masks.shrink_axis, i)};
  }
}

// `index` counted from the front and kept within what a slice in this direction may begin or end at.
int64_t Clamp(int64_t index, int64_t dim, bool forwards) {
  if (index < 0) index += dim;
  return forwards ? std::clamp<int64_t>(index, 0, dim) : std::clamp<int64_t>(index, -1, dim - 1);
}

SliceAxis Settle(const Dense::Axis& axis, int64_t dim, int number) {
  Require(axis.stride != 0, "strides[", number, "] must not be zero");
  if (axis.shrink) {
    Require(axis.stride > 0, "only a positive stride is allowed where one index is taken (dimension ", number, ")");
    const int64_t index = axis.begin < 0 ? axis.begin + dim : axis.begin;
    Require(index >= 0 && index < dim, "slice index ", axis.begin, " of dimension ", number, " is out of bounds");
    return {index, axis.stride, 1};
  }
  const bool forwards = axis.stride > 0;
  const int64_t first = axis.from_start ? (forwards ? 0 : dim - 1) : Clamp(axis.begin, dim, forwards);
  const int64_t last = axis.to_end ? (forwards ? dim : -1) : Clamp(axis.end, dim, forwards);
  const int64_t length = last - first;
  if (length == 0 || (length < 0) == forwards) return {first, axis.stride, 0};
  return {first, axis.stride, length / axis.stride + (length % axis.stride != 0 ? 1 : 0)};
}

}  // namespace

StridedSliceMasks::StridedSliceMasks(const Node& node) {
  const auto mask = [&node](const char* name) { return static_cast<uint32_t>(Int32Attr(node, name)); };
  begin = mask("begin_mask");
  end = mask("end_mask");
  ellipsis = mask("ellipsis_mask");
  new_axis = mask("new_axis_mask");
  shrink_axis = mask("shrink_axis_mask");
}

void MakeSliceSpec(const Shape& shape, const Tensor& begin, const Tensor& end, const Tensor& strides,
                   const StridedSliceMasks& masks, SliceSpec& spec) {
  Require(
      begin.rank() == 1 && begin.shape() == end.shape() && begin.shape() == strides.shape() && begin.elements() < 32,
      "begin, end and strides must be vectors of one length below 32, not of shapes ", begin.shape().ToString(), ", ",
      end.shape().ToString(), ", ", strides.shape().ToString());
  Require(std::popcount(masks.ellipsis) <= 1, "a slice may have one ellipsis only");
  Dense dense;
  Spread(shape.rank(), begin, end, strides, masks, dense);
  spec.rank = shape.rank();
  for (int axis = 0; axis < spec.rank; ++axis) {
    spec.axes[axis] = Settle(dense.axes[axis], shape[axis], axis);
    const bool takes_all = spec.axes[axis].size == shape[axis];
    spec.whole &= takes_all && (spec.axes[axis].stride == 1 || shape[axis] <= 1);
    spec.by_one &= spec.axes[axis].stride == 1;
    spec.takes_rows &= axis == 0 || takes_all;
  }
  spec.takes_rows &= spec.rank > 0 && spec.by_one;
  Require(dense.places <= kMaxRank, "a tensor may have at most ", kMaxRank, " dimensions");
  int64_t result[kMaxRank];
  for (int i = 0; i < dense.places; ++i) result[i] = dense.place[i] == kNewAxis ? 1 : spec.axes[dense.place[i]].size;
  spec.result = Shape(std::span<const int64_t>(result, static_cast<size_t>(dense.places)));
}

bool TakesNothing(const SliceSpec& spec) {
  return std::any_of(spec.axes, spec.axes + spec.rank, [](const SliceAxis& axis) { return axis.size == 0; });
}

void RequireFitsSlice(const Shape& value, const Shape& slice) {
  const int shift = slice.rank() - value.rank();
  bool fits = true;
  for (int axis = 0; axis < value.rank(); ++axis) {
    fits = fits && (value[axis] == 1 || (shift + axis >= 0 && value[axis] == slice[shift + axis]));
  }
  Require(fits, "the value has the shape ", value.ToString(), ", which does not broadcast to that of the slice, ",
          slice.ToString());
}

}  // namespace plumb::fast
