#include "spec/ops/gradient_helpers.h"
#include "spec/ops/known_values.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The rank that `count` inputs from `first` on share; -1 where none is known.
int CommonRank(const ShapeContext& c, int first, int count) {
  int rank = -1;
  for (int i = first; i < first + count; ++i) {
    if (!c.input(i).has_rank()) continue;
    if (rank < 0) rank = c.input(i).rank();
    WithRank(c, i, rank);
  }
  return rank;
}

// The values are all inputs from `first` on but `axis_input`, which is the first or the last.
Shapes ConcatShapesOf(const ShapeContext& c, int first, int axis_input) {
  const int count = c.num_inputs() - 1;
  RequireScalar(c, axis_input);
  for (int i = first; i < first + count; ++i) WithRankAtLeast(c, i, 1);
  const int rank = CommonRank(c, first, count);
  const auto axis = ConstantInt(c, axis_input);
  if (rank < 0) return {PartialShape::Unknown()};
  if (!axis) return {PartialShape::OfRank(rank)};
  const int at = CanonicalAxis(c, *axis, rank);
  std::vector<int64_t> dims(rank, -1);
  dims[at] = 0;
  for (int i = first; i < first + count; ++i) {
    for (int d = 0; d < rank; ++d) {
      const int64_t size = c.input(i).dim(d);
      dims[d] = d == at ? AddSizes(dims[d], size) : MergeDims(c, dims[d], size);
    }
  }
  return {PartialShape(std::move(dims))};
}

Shapes ConcatShapes(const ShapeContext& c) { return ConcatShapesOf(c, 1, 0); }

// Offsets into values as the shapes that are given.
Shapes ConcatOffsetShapes(const ShapeContext& c) {
  Shapes shapes;
  for (int i = 1; i < c.num_inputs(); ++i) shapes.push_back(c.input(i));
  return shapes;
}

Shapes ConcatV2Shapes(const ShapeContext& c) { return ConcatShapesOf(c, 0, c.num_inputs() - 1); }

// Each value's part is sliced out of the gradient where it was put in.
Values Parts(Gradient& g, int first, Endpoint axis) {
  const int count = g.num_inputs() - 1;
  if (count == 1) return {g.raw_dy()};
  std::vector<Endpoint> inputs;
  inputs.reserve(count);
  for (int i = first; i < first + count; ++i) inputs.push_back(g.x(i));
  const NodeId shapes = g.Add("ShapeN", inputs);
  if (g.dtype(axis) != DType::kInt32) axis = g.Call("Cast", {axis}, {{"DstT", DType::kInt32}});
  std::vector<Endpoint> offset_inputs = {g.Call("FloorMod", {axis, g.Call("Rank", {inputs[0]})})};
  for (int i = 0; i < count; ++i) offset_inputs.push_back({shapes, i});
  const NodeId offsets = g.Add("ConcatOffset", offset_inputs);
  Values values;
  for (int i = 0; i < count; ++i) values.push_back(g.Call("Slice", {g.dy(), {offsets, i}, {shapes, i}}));
  return values;
}

Values ConcatGradient(Gradient& g) {
  Values values = Parts(g, 1, g.x(0));
  values.insert(values.begin(), GradientValue::None());
  return values;
}

Values ConcatV2Gradient(Gradient& g) {
  Values values = Parts(g, 0, g.x(g.num_inputs() - 1));
  values.push_back(GradientValue::None());
  return values;
}

std::optional<Tensor> Joined(const Folding& f, int first) {
  std::vector<int64_t> values;
  for (int i = first; i + 1 < f.num_inputs() + first; ++i) {
    if (f.input(i).rank() != 1) return std::nullopt;
    const std::vector<int64_t> piece = f.values(i);
    values.insert(values.end(), piece.begin(), piece.end());
  }
  return KnownVector(f, values);
}

std::optional<Tensor> FoldConcat(const Folding& f) { return Joined(f, 1); }

std::optional<Tensor> FoldConcatV2(const Folding& f) { return Joined(f, 0); }

}  // namespace

std::span<const OpRow> ArrayConcat() {
  static const OpRow rows[] = {
      {.signature = "ConcatV2(values: T*N, axis: Tidx) -> (output: T)",
       .attrs = "N: int >= 2; T: type; Tidx: type = int32 in [int32, int64]",
       .doc = "The values joined along `axis`. They must agree in rank and in all other dimensions; scalars "
              "cannot be joined.",
       .cpu = "T in [numbers, quantized, bool, string]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = ConcatV2Shapes,
       .strictness = Strictness::kStricterThanKernel,
       .fold = FromValues(FoldConcatV2),
       .gradient = ConcatV2Gradient,
       .samples = {"([a 2 c] [a 3 c] [a 0 c]) 1", "([a] [b]) -1", "([a c] [b c]) 0"}},
      {.signature = "Concat(concat_dim: int32, values: T*N) -> (output: T)",
       .attrs = "N: int >= 2; T: type",
       .doc = "ConcatV2 whose axis comes first.",
       .cpu = "T in [numbers, quantized, bool, string]",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = ConcatShapes,
       .strictness = Strictness::kStricterThanKernel,
       .fold = FromValues(FoldConcat),
       .gradient = ConcatGradient,
       .samples = {"1 ([a 2 c] [a 3 c] [a 0 c])", "-1 ([a] [b])", "0 ([a c] [b c])"}},
      {.signature = "ConcatOffset(concat_dim: int32, shape: int32*N) -> (offset: int32*N)",
       .attrs = "N: int >= 2",
       .doc = "Where each of several tensors with the given shapes begins in their concatenation along "
              "concat_dim.",
       .shape_fn = ConcatOffsetShapes,
       .gradient = BlocksGradient(),
       .samples = {"1 ({2, 1, 3} {2, 5, 3})", "N=3: -1 ({1, 2} {1, 3} {1, 0})"}},
  };
  return rows;
}

}  // namespace plumb::topics
