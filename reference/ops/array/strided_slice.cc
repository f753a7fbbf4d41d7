// Slices as Python writes them: x[1:, ::2, newaxis, 3, ...].
#include <algorithm>
#include <bit>

#include "reference/kernel/op_context.h"
#include "reference/kernel/variables.h"
#include "reference/numbers/broadcast.h"
#include "reference/numbers/index.h"
#include "reference/numbers/numbers_io.h"
#include "reference/ops/lib/resource_variable.h"
#include "spec/graph/int32_attr.h"

namespace plumb::reference {
namespace {

// A slice specification applied to a shape: what it selects of each dimension, and the shape it leaves.
struct StridedSelection {
  std::vector<int64_t> begin, stride, size;  // per dimension of the sliced tensor
  std::vector<int64_t> final_dims;           // of the result, after shrunk axes left and new ones came

  std::vector<int64_t> steps;  // per dimension, as they were asked for

  // R31: whether it takes everything along an axis as it lies.
  bool TakesAll(const Shape& shape, int axis) const {
    return steps[axis] == 1 && begin[axis] == 0 && size[axis] == shape.dim(axis);
  }
  // The same along all axes from `first` on.
  bool TakesAllFrom(const Shape& shape, int first) const {
    bool takes = true;
    for (int axis = first; axis < shape.rank(); ++axis) takes = takes && TakesAll(shape, axis);
    return takes;
  }

  Shape processed() const { return Shape(size); }
  std::vector<int64_t> PositionsIn(const Shape& shape) const {
    auto strides = Strides(shape);
    int64_t base = 0;
    for (size_t axis = 0; axis < strides.size(); ++axis) {
      base += begin[axis] * strides[axis];
      strides[axis] *= stride[axis];
    }
    if (processed().elements() == 0) return {};
    return Positions(processed(), strides, base);
  }
};

struct SliceSpec {
  std::vector<int64_t> begin, end, stride;
  int64_t begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask;
  int entries() const { return static_cast<int>(begin.size()); }
  static bool Has(int64_t mask, int i) { return ((mask >> i) & 1) != 0; }
};

// The masks are read before anything is waited for or looked at.
void CheckMasks(const Node& node) {
  for (const auto* mask : {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"}) {
    Int32Attr(node, mask);
  }
}

SliceSpec ReadSpec(OpContext& context, int first_input) {
  const auto read = [&](int i, std::string_view what) {
    Require(context.tensor(first_input + i).rank() == 1, what, " must be a vector, not of shape ",
            context.tensor(first_input + i).shape().ToString());
    return IntegersOf(context.tensor(first_input + i), what);
  };
  SliceSpec spec{read(0, "begin"),
                 read(1, "end"),
                 read(2, "strides"),
                 Int32Attr(context.node, "begin_mask"),
                 Int32Attr(context.node, "end_mask"),
                 Int32Attr(context.node, "ellipsis_mask"),
                 Int32Attr(context.node, "new_axis_mask"),
                 Int32Attr(context.node, "shrink_axis_mask")};
  Require(std::popcount(static_cast<uint32_t>(spec.ellipsis_mask)) <= 1, "a slice may have one ellipsis only");
  Require(spec.begin.size() == spec.end.size() && spec.begin.size() == spec.stride.size() && spec.begin.size() < 32,
          "begin, end and strides must be vectors of one length below 32, not of ", spec.begin.size(), ", ",
          spec.end.size(), " and ", spec.stride.size());
  return spec;
}

void SelectAll(StridedSelection& selection, int64_t dim) {
  selection.begin.push_back(0);
  selection.stride.push_back(1);
  selection.size.push_back(dim);
  selection.steps.push_back(1);
  selection.final_dims.push_back(dim);
}

void SelectIndex(StridedSelection& selection, const SliceSpec& spec, int i, int64_t dim) {
  const int64_t index = spec.begin[i] < 0 ? spec.begin[i] + dim : spec.begin[i];
  Require(0 <= index && index < dim, "slice index ", spec.begin[i], " of dimension ", selection.size.size(),
          " is out of bounds");
  Require(spec.stride[i] > 0, "only a positive stride is allowed where a single index is taken");
  selection.begin.push_back(index);
  selection.stride.push_back(1);
  selection.size.push_back(1);
  selection.steps.push_back(spec.stride[i]);
}

// An end of the range, counted from the front and clamped to where a walk in the stride's direction may start or stop.
int64_t ClampedEnd(int64_t position, bool masked, bool is_begin, int64_t stride, int64_t dim) {
  const int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? dim : dim - 1;
  if (masked) return is_begin == (stride > 0) ? low : high;
  return std::min(high, std::max(low, position < 0 ? position + dim : position));
}

void SelectRange(StridedSelection& selection, const SliceSpec& spec, int i, int64_t dim) {
  const int64_t stride = spec.stride[i];
  const int64_t begin = ClampedEnd(spec.begin[i], SliceSpec::Has(spec.begin_mask, i), true, stride, dim);
  const int64_t end = ClampedEnd(spec.end[i], SliceSpec::Has(spec.end_mask, i), false, stride, dim);
  const int64_t length = end - begin;
  const bool empty = length == 0 || (length < 0) != (stride < 0);
  const int64_t size = empty ? 0 : length / stride + (length % stride != 0);
  selection.begin.push_back(begin);
  selection.stride.push_back(size <= 1 ? 1 : stride);
  selection.size.push_back(size);
  selection.steps.push_back(stride);
  selection.final_dims.push_back(size);
}

StridedSelection Resolve(const SliceSpec& spec, const Shape& shape) {
  StridedSelection selection;
  int new_axes_after = 0;
  const auto dims_used = [&] { return static_cast<int>(selection.size.size()); };
  for (int i = 0; i < spec.entries(); ++i) {
    if (SliceSpec::Has(spec.ellipsis_mask, i)) {
      for (int j = i + 1; j < spec.entries(); ++j) new_axes_after += SliceSpec::Has(spec.new_axis_mask, j);
      const int stop = std::min(shape.rank() - (spec.entries() - i - 1 - new_axes_after), shape.rank());
      while (dims_used() < stop) SelectAll(selection, shape.dim(dims_used()));
      continue;
    }
    if (SliceSpec::Has(spec.new_axis_mask, i)) {
      selection.final_dims.push_back(1);
      continue;
    }
    Require(dims_used() < shape.rank(), "index out of range: the input has ", shape.rank(), " dimensions only");
    Require(spec.stride[i] != 0, "strides[", i, "] must not be zero");
    const int64_t dim = shape.dim(dims_used());
    if (SliceSpec::Has(spec.shrink_axis_mask, i)) {
      SelectIndex(selection, spec, i, dim);
    } else {
      SelectRange(selection, spec, i, dim);
    }
  }
  while (dims_used() < shape.rank()) SelectAll(selection, shape.dim(dims_used()));
  return selection;
}

void StridedSlice(OpContext& context) {
  const Value& value = context.input(0);
  const Shape& shape = value.tensor.shape();
  const auto selection = Resolve(ReadSpec(context, 1), shape);
  const Shape result(selection.final_dims);
  if (selection.TakesAllFrom(shape, 0)) return context.Output(0, Reshaped(value, result));  // R31
  if (selection.TakesAllFrom(shape, 1) && selection.steps[0] == 1 &&
      ForwardsSlice(value.tensor, selection.begin[0], selection.size[0])) {
    return context.Output(0, Reshaped(RowsOf(value, selection.begin[0], selection.size[0]), result));
  }
  context.Output(0, Gathered(value, result, selection.PositionsIn(shape)));
}

void StridedSliceGrad(OpContext& context) {
  const Shape shape = ShapeOfVector(context.tensor(0), "shape");
  const auto selection = Resolve(ReadSpec(context, 1), shape);
  const Shape expected(selection.final_dims);
  Require(context.tensor(4).shape() == expected, "dy has the shape ", context.tensor(4).shape().ToString(),
          ", but the slice has ", expected.ToString());
  context.Output(0, Scattered(context.input(4), shape, selection.PositionsIn(shape)));
}

// R28: `old` with input 4, broadcast to the slice, in its place; nothing where that takes no element, whatever the
// value is then. Dimensions of 1 before those of the slice are none.
std::optional<Value> WithSlice(OpContext& context, const Value& old) {
  const Shape& shape = old.tensor.shape();
  const auto selection = Resolve(ReadSpec(context, 1), shape);
  if (selection.processed().elements() == 0) return std::nullopt;
  const Value& value = context.input(4);
  const Shape slice(selection.final_dims), given = value.tensor.shape();
  const int extra = std::max(given.rank() - slice.rank(), 0);
  const Shape repeated = Subshape(given, extra, given.rank());
  bool fits = Subshape(given, 0, extra).elements() == 1;
  const int missing = slice.rank() - repeated.rank();
  for (int axis = 0; axis < repeated.rank(); ++axis) {
    fits = fits && (repeated.dim(axis) == 1 || repeated.dim(axis) == slice.dim(missing + axis));
  }
  Require(fits, "the value has the shape ", given.ToString(), ", which does not broadcast to that of the slice, ",
          slice.ToString());
  Assembly changed(old.tensor.dtype(), shape);
  changed.Copy(0, old, 0, shape.elements());
  Walk from = BroadcastWalk(repeated, slice);
  for (const int64_t position : selection.PositionsIn(shape)) {
    changed.Copy(position, value, from.position());
    from.Next();
  }
  return changed.Take();
}

void TensorStridedSliceUpdate(OpContext& context) {
  const Value& whole = context.input(0);
  context.Output(0, WithSlice(context, whole).value_or(whole));
}

void StridedSliceAssign(OpContext& context) {
  if (const auto value = WithSlice(context, context.input(0))) context.ref(0).Update(*value);
  context.outputs[0] = context.inputs[0];
}

void ResourceStridedSliceAssign(OpContext& context) {
  HandleVariable& variable = GetVariable(context, 0);
  CheckVariableType(variable, context.tensor(4).dtype());
  if (const auto value = WithSlice(context, variable.ReadSparse(context.node.name))) variable.Update(*value);
}

constexpr KernelRow kRows[] = {
    {"StridedSlice", StridedSlice, CheckMasks},
    {"StridedSliceGrad", StridedSliceGrad, CheckMasks},
    {"TensorStridedSliceUpdate", TensorStridedSliceUpdate, CheckMasks},
    {"StridedSliceAssign", StridedSliceAssign, CheckMasks},
    {"ResourceStridedSliceAssign", ResourceStridedSliceAssign, CheckMasks},
};

}  // namespace

namespace topics {
std::span<const KernelRow> ArrayStridedSlice() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
