#include <algorithm>
#include <bit>

#include "spec/graph/int32_attr.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/known_values.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
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
  for (size_t slot = 0; slot < spec.strides.size(); ++slot) {
    if (!spec.IsEllipsis(slot) && !spec.IsNewAxis(slot)) ++named;
  }
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

// What inputs 1 to 3 select of a tensor of this shape.
PartialShape SliceOf(const ShapeContext& c, const PartialShape& whole) {
  const auto mask = [&](const char* name) { return int64_t{Int32Attr(c.attrs(), name)}; };
  const int64_t of_begin = mask("begin_mask"), of_end = mask("end_mask"), ellipsis = mask("ellipsis_mask"),
                new_axes = mask("new_axis_mask"), shrunk = mask("shrink_axis_mask");
  Ints begin = ConstantInts(c, 1), end = ConstantInts(c, 2);
  const Ints strides = ConstantInts(c, 3);
  if (!whole.has_rank() || !strides) return PartialShape::Unknown();
  Require(std::popcount(static_cast<uint64_t>(ellipsis)) <= 1, "StridedSlice: only one ellipsis is allowed");
  const StridedSpec spec{std::move(begin), std::move(end), *strides, of_begin, of_end, ellipsis, new_axes, shrunk};
  Require(spec.strides.size() <= 32, c.op().name, ": ", spec.strides.size(), " slots are more than 32");
  return SlicedShape(spec, whole);
}

Shapes StridedSliceShapes(const ShapeContext& c) {
  int64_t length = -1;
  for (int i = 1; i < 4; ++i) length = MergeDims(c, length, WithRank(c, i, 1).dim(0));
  return {SliceOf(c, c.input(0))};
}

// No shape follows from the positions; they are asked for because whoever replaces a slice needs them on the host.
void AskForPositions(const ShapeContext& c) {
  for (int i = 1; i < 4; ++i) c.constant(i);
}

// Of StridedSliceAssign, which hands its variable on, and TensorStridedSliceUpdate.
Shapes StridedSliceAssignShapes(const ShapeContext& c) {
  AskForPositions(c);
  return {c.input(0)};
}
Shapes ResourceStridedSliceAssignShapes(const ShapeContext& c) {
  AskForPositions(c);
  return {};
}
Shapes StridedSliceGradShapes(const ShapeContext& c) {
  AskForPositions(c);
  return {ConstantShape(c, 0)};
}

AttrMap SliceMasks(Gradient& g) {
  AttrMap attrs;
  for (const char* name : {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"}) {
    attrs[name] = g.attr<int64_t>(name);
  }
  return attrs;
}

Values StridedSliceGradient(Gradient& g) {
  const Endpoint shape = g.Call("Shape", {g.x(0)}, {{"out_type", g.dtype(g.x(1))}});
  return {g.Call("StridedSliceGrad", {shape, g.x(1), g.x(2), g.x(3), g.dy()}, SliceMasks(g)), GradientValue::None(),
          GradientValue::None(), GradientValue::None()};
}

// What was replaced has no gradient, and what replaced it the slice's, summed over what it was repeated along.
Values TensorStridedSliceUpdateGradient(Gradient& g) {
  Values values(5);
  const Endpoint zeros = g.ZerosLike(g.x(4));
  values[0] = g.Call("TensorStridedSliceUpdate", {g.dy(), g.x(1), g.x(2), g.x(3), zeros}, SliceMasks(g));
  const Endpoint slice = g.Call("StridedSlice", {g.dy(), g.x(1), g.x(2), g.x(3)}, SliceMasks(g));
  values[4] = g.SumToShapeOf(slice, g.x(4), slice);
  return values;
}

Values StridedSliceGradGradient(Gradient& g) {
  Values values(5);
  values[4] = g.Call("StridedSlice", {g.dy(), g.x(1), g.x(2), g.x(3)}, SliceMasks(g));
  return values;
}

// One slot of a vector.
std::optional<Tensor> FoldStridedSlice(const Folding& f) {
  const bool plain = f.input(0).rank() == 1 && f.input(1).elements() == 1 && f.input(2).elements() == 1 &&
                     f.input(3).elements() == 1 && f.attr<int64_t>("ellipsis_mask") == 0 &&
                     f.attr<int64_t>("new_axis_mask") == 0;
  if (!plain) return std::nullopt;
  const std::vector<int64_t> values = f.values(0);
  const int64_t length = f.input(0).elements();
  const int64_t stride = f.values(3)[0];
  const auto position = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + length : at, 0, length); };
  const auto is_set = [&](const char* mask) { return (f.attr<int64_t>(mask) & 1) != 0; };
  const int64_t begin = is_set("begin_mask") ? 0 : position(f.values(1)[0]);
  const int64_t end = is_set("end_mask") ? length : position(f.values(2)[0]);
  if (stride < 1) return std::nullopt;
  if (is_set("shrink_axis_mask")) return begin < length ? KnownScalar(f, values[begin]) : std::nullopt;
  std::vector<int64_t> sliced;
  for (int64_t i = begin; i < end; i = stride < end - i ? i + stride : end) sliced.push_back(values[i]);
  return KnownVector(f, sliced);
}

}  // namespace

std::span<const OpRow> ArrayStridedSlice() {
  static const OpRow rows[] = {
      {.signature = "StridedSlice(input: T, begin: Index, end: Index, strides: Index) -> (output: T) hands_on",
       .attrs = "T: type; Index: type in [int16, int32, int64]; begin_mask: int = 0; end_mask: int = 0; "
                "ellipsis_mask: int = 0; new_axis_mask: int = 0; shrink_axis_mask: int = 0",
       .doc = "Python's input[begin:end:strides]. Bit i of a mask concerns slot i: begin_mask and end_mask "
              "take the whole range on that side, ellipsis_mask is \"…\", new_axis_mask inserts a dimension, "
              "shrink_axis_mask takes one index and drops the dimension.",
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, resource, string, variant]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = StridedSliceShapes,
       .strictness = Strictness::kStricterThanKernel,
       .fold = FromValues(FoldStridedSlice),
       .gradient = StridedSliceGradient,
       .samples = {"[4 5] {1, 0} {3, 4} {1, 2}", "begin_mask=1 end_mask=2: [4 5] {1, -1} {3, 0} {1, -1}",
                   "shrink_axis_mask=2: [4 5 b] {0, 2} {3, 3} {2, 1}",
                   "ellipsis_mask=2 new_axis_mask=1: [4 b 3] {0, 0, 1} {0, 0, 3} {1, 1, 1}", "[4] {-1} {-5} {-2}",
                   "[a 6 c] {0, 1, 0} {a, 5, c} {1, 2, 1}", "[a b] {0, 0} {a, b} {1, 1}",
                   "[4 16] {1, 0} {3, 16} {1, 1}", "[64] {16} {48} {1}"}},
      {.signature = "StridedSliceGrad(shape: Index, begin: Index, end: Index, strides: Index, dy: T) -> (output: T)",
       .attrs = "T: type; Index: type in [int32, int64]; begin_mask: int = 0; end_mask: int = 0; ellipsis_mask: "
                "int = 0; new_axis_mask: int = 0; shrink_axis_mask: int = 0",
       .doc = "Zeros of the shape `shape`, with dy where StridedSlice of such a tensor would read.",
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, resource, string, variant]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = StridedSliceGradShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = StridedSliceGradGradient,
       .samples = {"{4, 5} {1, 0} {3, 4} {1, 2} [2 2]", "shrink_axis_mask=1: {3, 2} {1, 0} {2, 2} {1, 1} [2]",
                   "begin_mask=1 end_mask=1: {4} {0} {0} {-1} [4]",
                   "new_axis_mask=1: {3, 2} {0, 1} {0, 3} {1, 1} [1 2 2]",
                   "ellipsis_mask=1: {3, 2, 4} {0, 1} {0, 3} {1, 2} [3 2 1]"}},
      {.signature = "TensorStridedSliceUpdate(input: T, begin: Index, end: Index, strides: Index, value: T) -> "
                    "(output: T)",
       .attrs = "T: type; Index: type in [int32, int64]; begin_mask: int = 0; end_mask: int = 0; ellipsis_mask: int = "
                "0; new_axis_mask: int = 0; shrink_axis_mask: int = 0",
       .doc = "The input with a value, which broadcasts to the slice, in the place of what StridedSlice would read.",
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, resource, string, variant]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = StridedSliceAssignShapes,
       .gradient = TensorStridedSliceUpdateGradient,
       .samples = {"[4 5] {1, 0} {3, 4} {1, 2} [2 2]", "shrink_axis_mask=1: [3 b] {1, 0} {2, b} {1, 1} [b]",
                   "begin_mask=1 end_mask=1: [4] {0} {0} {-1} [4]",
                   "new_axis_mask=1: [3 2] {0, 1} {0, 3} {1, 1} [1 2 2]", "[6 b] {1} {5} {3} [2 1]",
                   "[a 6 c] {0, 1, 0} {a, 5, c} {1, 2, 1} [c]", "[5 6] {1, 2} {4, 4} {1, 1} []"}},
      {.signature = "StridedSliceAssign(ref: ref T, begin: Index, end: Index, strides: Index, value: T) -> "
                    "(output_ref: ref T)",
       .attrs = "T: type; Index: type in [int32, int64]; begin_mask: int = 0; end_mask: int = 0; ellipsis_mask: int = "
                "0; new_axis_mask: int = 0; shrink_axis_mask: int = 0",
       .doc = "Puts a value, which broadcasts to the slice, where StridedSlice of the variable would read (rule R28).",
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, resource, string, variant]",
       .gpu = "T in [floats, int64]",
       .shape_fn = StridedSliceAssignShapes,
       .samples = {"[4 5] {1, 0} {3, 4} {1, 2} [2 2]", "shrink_axis_mask=1: [3 b] {1, 0} {2, b} {1, 1} [b]",
                   "begin_mask=1 end_mask=1: [4] {0} {0} {-1} [4]",
                   "new_axis_mask=1: [3 2] {0, 1} {0, 3} {1, 1} [1 2 2]", "[6 b] {1} {5} {3} [2 b]",
                   "[4 5] {1, 0} {3, 4} {1, 2} [1 2 1]"}},
      {.signature = "ResourceStridedSliceAssign(ref: resource<Variable>, begin: Index, end: Index, strides: Index, "
                    "value: T) -> () stateful",
       .attrs = "T: type; Index: type in [int32, int64]; begin_mask: int = 0; end_mask: int = 0; ellipsis_mask: int = "
                "0; new_axis_mask: int = 0; shrink_axis_mask: int = 0",
       .doc = "StridedSliceAssign of a resource variable (rule R28).",
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, resource, string, variant]",
       .gpu = "T in [floats, int64]",
       .shape_fn = ResourceStridedSliceAssignShapes,
       .strictness = Strictness::kStricterThanKernel,
       .samples = {"[4 5] {1, 0} {3, 4} {1, 2} [2 2]", "shrink_axis_mask=1: [3 b] {1, 0} {2, b} {1, 1} [b]",
                   "[6 b] {1} {5} {3} [2 b]", "[6 b] {1} {5} {3} []"}},
  };
  return rows;
}

}  // namespace plumb::topics
