#include <algorithm>
#include <optional>

#include "spec/graph/int32_attr.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/known_values.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes GatherV2Shapes(const ShapeContext& c) {
  const PartialShape& params = WithRankAtLeast(c, 0, 1);
  const PartialShape& indices = c.input(1);
  RequireScalar(c, 2);
  int64_t batch_dims = Int32Attr(c.attrs(), "batch_dims");
  const auto axis = ConstantInt(c, 2);
  if (axis)
    WithRankAtLeast(c, 0,
                    *axis < 0 ? -std::max<int64_t>(*axis, -kMaxRank - 1) : std::min<int64_t>(*axis, kMaxRank) + 1);
  if (!params.has_rank() || !indices.has_rank()) return {PartialShape::Unknown()};
  Require(batch_dims >= -indices.rank() && batch_dims <= indices.rank(), "GatherV2: batch_dims ", batch_dims,
          " is outside the rank ", indices.rank(), " of the indices");
  if (batch_dims < 0) batch_dims += indices.rank();
  Require(batch_dims < params.rank(), "GatherV2: batch_dims ", batch_dims, " is not below the rank ", params.rank());
  if (!axis) return {PartialShape::OfRank(static_cast<int>(params.rank() + indices.rank() - 1 - batch_dims))};
  const int at = CanonicalAxis(c, *axis, params.rank());
  PartialShape outer = Part(params, 0, at);
  // More of them than there are before the axis are left to the kernel to refuse.
  for (int d = 0; d < std::min<int64_t>(batch_dims, at); ++d)
    outer = WithDim(outer, d, MergeDims(c, outer.dim(d), indices.dim(d)));
  return {Join(Join(outer, Part(indices, static_cast<int>(batch_dims))), Part(params, at + 1))};
}

Shapes GatherShapes(const ShapeContext& c) {
  const PartialShape& params = WithRankAtLeast(c, 0, 1);
  return {params.has_rank() ? Join(c.input(1), Part(params, 1)) : PartialShape::Unknown()};
}

// A constant where it is known: the table, which may lie elsewhere, is not asked then.
Endpoint ShapeOfParams(Gradient& g) {
  const PartialShape& shape = g.shape(g.x(0));
  if (!shape.IsFullyDefined()) return g.ShapeOf(g.x(0));
  std::vector<int32_t> dims;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape.dim(axis) > INT32_MAX) return g.ShapeOf(g.x(0));
    dims.push_back(static_cast<int32_t>(shape.dim(axis)));
  }
  return g.Int32s(dims);
}

Values GatherGradient(Gradient& g) { return {RowSlices(g, g.x(1), ShapeOfParams(g)), GradientValue::None()}; }

// The axis along which is gathered: a number, or what a scalar int32 tensor says when the step runs.
struct Axis {
  int number = 0;
  std::optional<Endpoint> value = {};
};
// So many behind the first axis, or behind that one.
struct Place {
  int plus;
  bool is_behind_axis = false;
};
struct Run {
  Place begin, end;
};

// The axes of these runs, one behind the other.
Endpoint AxesOf(Gradient& g, const Axis& axis, const std::vector<Run>& runs) {
  if (!axis.value) {
    const auto at = [&](Place place) { return place.plus + (place.is_behind_axis ? axis.number : 0); };
    std::vector<int32_t> axes;
    for (const auto& [begin, end] : runs) {
      for (int i = at(begin); i < at(end); ++i) axes.push_back(i);
    }
    return g.Int32s(axes);
  }
  const auto at = [&](Place place) {
    const Endpoint plus = g.Scalar(place.plus, DType::kInt32);
    return place.is_behind_axis ? g.Call("Add", {*axis.value, plus}) : plus;
  };
  std::vector<Endpoint> parts;
  for (const auto& [begin, end] : runs) {
    parts.push_back(g.Call("Range", {at(begin), at(end), g.Scalar(1, DType::kInt32)}));
  }
  return Concat(g, std::move(parts));
}

// Any axis, any number of batch dimensions: the gathered axes are moved behind the batch dimensions, every batch entry
// gets row numbers of its own, and equal rows are summed.
Endpoint ScatterAlongAxis(Gradient& g, const Axis& axis, int batch_dims) {
  const int params_rank = g.shape(g.x(0)).rank(), indices_rank = g.shape(g.x(1)).rank();
  const int gathered = indices_rank - batch_dims;  // axes of dy that came from the indices
  const Place first{0}, outer{batch_dims}, at_axis{0, true};
  // dy: batch…, outer…, gathered…, inner… → batch…, gathered…, outer…, inner…
  const Place inner{gathered, true};
  const Endpoint perm =
      AxesOf(g, axis, {{first, outer}, {at_axis, inner}, {outer, at_axis}, {inner, Place{params_rank - 1 + gathered}}});
  const Endpoint rows = g.Call("Transpose", {g.dy(), perm});

  Endpoint indices = g.x(1);
  if (g.dtype(indices) != DType::kInt32) indices = g.Call("Cast", {indices}, {{"DstT", DType::kInt32}});
  const Endpoint params_shape = g.ShapeOf(g.x(0)), indices_shape = g.ShapeOf(indices);
  const Endpoint along = axis.value ? *axis.value : g.Scalar(axis.number, DType::kInt32);
  const Endpoint size = g.Call("GatherV2", {params_shape, along, Zero(g)});
  const Endpoint batch = g.Call("Prod", {Part(g, indices_shape, 0, batch_dims), Zero(g)});
  const Endpoint total = batch_dims == 0 ? size : g.Call("Mul", {batch, size});
  if (batch_dims > 0) {
    const Endpoint first = g.Call("Mul", {g.Call("Range", {Zero(g), batch, g.Scalar(1, DType::kInt32)}), size});
    const Endpoint matrix = g.Call("Reshape", {indices, g.Call("Pack", {batch, g.Scalar(-1, DType::kInt32)})});
    indices = g.Call("Add", {matrix, g.Call("ExpandDims", {first, g.Scalar(1, DType::kInt32)})});
  }
  const Endpoint tail = Part(g, g.ShapeOf(rows), indices_rank, 0);
  const Endpoint flat_rows =
      g.Call("Reshape", {rows, Concat(g, {g.Call("ExpandDims", {g.Call("Size", {indices}), Zero(g)}), tail})});
  const Endpoint summed = g.Call("UnsortedSegmentSum", {flat_rows, Flat(g, indices), total});
  // batch…, axis, outer…, inner… → params' order.
  const Place behind{1, true};
  const Endpoint moved =
      AxesOf(g, axis, {{first, outer}, {at_axis, behind}, {outer, at_axis}, {behind, Place{params_rank}}});
  const Endpoint moved_shape = g.Call("GatherV2", {params_shape, moved, Zero(g)});
  const Endpoint back = g.Call("InvertPermutation", {moved});
  const Endpoint scattered = g.Call("Transpose", {g.Call("Reshape", {summed, moved_shape}), back});
  return axis.value ? g.Call("Reshape", {scattered, params_shape}) : scattered;  // whose shape may be known
}

// From 0 on.
Axis AxisOf(Gradient& g, int rank) {
  if (const Tensor* const axis = g.builder().constant(g.x(2))) {
    const int64_t number = ToInt64s(*axis).at(0);
    return {static_cast<int>(number < 0 && rank >= 0 ? number + rank : number)};
  }
  Endpoint axis = g.x(2);
  if (g.dtype(axis) != DType::kInt32) axis = g.Call("Cast", {axis}, {{"DstT", DType::kInt32}});
  return {0, g.Call("FloorMod", {axis, g.Scalar(rank, DType::kInt32)})};
}

Values GatherV2Gradient(Gradient& g) {
  const int rank = g.shape(g.x(0)).rank(), indices_rank = g.shape(g.x(1)).rank();
  const Axis axis = AxisOf(g, rank);
  int64_t batch_dims = GetAttrOr<int64_t>(g.op().attrs, "batch_dims", 0);
  if (batch_dims < 0 && indices_rank >= 0) batch_dims += indices_rank;
  if (!axis.value && axis.number == 0 && batch_dims == 0) {
    return {RowSlices(g, g.x(1), ShapeOfParams(g)), GradientValue::None(), GradientValue::None()};
  }
  Require(rank >= 0 && indices_rank >= 0, "the gradient of GatherV2 '", g.op().name,
          "' along an axis other than 0 needs known ranks");
  Require(axis.value || (axis.number >= 0 && axis.number < rank), "the gradient of GatherV2 '", g.op().name,
          "': there is no axis ", axis.number, " in a rank of ", rank);
  return {ScatterAlongAxis(g, axis, static_cast<int>(batch_dims)), GradientValue::None(), GradientValue::None()};
}

std::optional<Tensor> FoldGather(const Folding& f) {
  if (f.input(0).rank() != 1 || f.attr<int64_t>("batch_dims") != 0) return std::nullopt;
  const std::vector<int64_t> values = f.values(0);
  std::vector<int64_t> gathered;
  for (const int64_t index : f.values(1)) {
    if (index < 0 || index >= static_cast<int64_t>(values.size())) return std::nullopt;
    gathered.push_back(values[index]);
  }
  return KnownTensor(f, f.input(1).shape(), gathered);
}

}  // namespace

std::span<const OpRow> ArrayGather() {
  static const OpRow rows[] = {
      {.signature = "GatherV2(params: Tparams, indices: Tindices, axis: Taxis) -> (output: Tparams)",
       .attrs = "batch_dims: int = 0; Tparams: type; Tindices: type in [int16, int32, int64]; Taxis: type in "
                "[int32, int64]",
       .doc = "The slices of params along `axis` that the indices name. The first batch_dims dimensions of "
              "params and indices run together. An index outside the axis is an error.",
       .cpu = "Tindices in [int32, int64]; Tparams in [numbers, quantized, bool, resource, string, variant]",
       .gpu = "Tparams in [floats, complexes, bool, int32, int64]; Tindices in [int32, int64]",
       .shape_fn = GatherV2Shapes,
       .fold = FromValues(FoldGather),
       .gradient = GatherV2Gradient,
       .samples = {"[P b] [n] in 0..P 0", "[a P c] [i j] in 0..P 1", "[P] [] in 0..P -1",
                   "batch_dims=1/-1: [b P c] [b 3] in 0..P 1", "batch_dims=1: [b a P c] [b n] in 0..P 2"}},
      {.signature = "Gather(params: Tparams, indices: Tindices) -> (output: Tparams)",
       .attrs = "validate_indices: bool = true; Tparams: type; Tindices: type in [int32, int64]",
       .doc = "The rows of params that the indices name. An index outside the first dimension is an error.",
       .cpu = "Tparams in [numbers, quantized, bool, resource, string, variant]",
       .gpu = "Tparams in [floats, complexes, bool, int32, int64]",
       .shape_fn = GatherShapes,
       .gradient = GatherGradient,
       .samples = {"[P b] [n] in 0..P", "validate_indices=false: [P a b] [i j] in 0..P", "[P] [] in 0..P"}},
  };
  return rows;
}

}  // namespace plumb::topics
