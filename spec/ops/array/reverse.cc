#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ReverseV2Shapes(const ShapeContext& c) {
  const PartialShape& input = WithRankAtMost(c, 0, 8);
  WithRank(c, 1, 1);
  const auto axes = ConstantInts(c, 1);
  if (!axes || !input.has_rank()) return {input};
  std::vector<bool> reversed(input.rank(), false);
  for (const int64_t axis : *axes) {
    const int at = CanonicalAxis(c, axis, input.rank());
    Require(!reversed[at], "ReverseV2: the axis ", at, " is named twice");
    reversed[at] = true;
  }
  return {input};
}

Shapes ReverseShapes(const ShapeContext& c) {
  const PartialShape& input = WithRankAtMost(c, 0, 8);
  const PartialShape dims = WithRank(c, 1, 1);
  if (input.has_rank()) MergeDims(c, dims.dim(0), input.rank());
  return {input};
}

Shapes ReverseSequenceShapes(const ShapeContext& c) {
  const PartialShape& input = c.input(0);
  const PartialShape lengths = WithRank(c, 1, 1);
  if (!input.has_rank()) return {input};
  const int64_t batch_dim = c.attr<int64_t>("batch_dim");
  const int64_t seq_dim = c.attr<int64_t>("seq_dim");
  const auto require = [&](bool is_inside, int64_t axis) {
    Require(is_inside, "ReverseSequence: the axis ", axis, " is outside the shape ", input.ToString());
  };
  require(batch_dim >= 0 && batch_dim < input.rank(), batch_dim);
  require(seq_dim < input.rank(), seq_dim);  // one that is negative is the kernels' to refuse
  const int batch = static_cast<int>(batch_dim);
  return {WithDim(input, batch, MergeDims(c, input.dim(batch), lengths.dim(0)))};
}

Values ReverseV2Gradient(Gradient& g) { return {g.Call("ReverseV2", {g.dy(), g.x(1)}), GradientValue::None()}; }

Values ReverseGradient(Gradient& g) { return {g.Call("Reverse", {g.dy(), g.x(1)}), GradientValue::None()}; }

Values ReverseSequenceGradient(Gradient& g) {
  const AttrMap attrs = {{"seq_dim", g.attr<int64_t>("seq_dim")}, {"batch_dim", g.attr<int64_t>("batch_dim")}};
  return {g.Call("ReverseSequence", {g.dy(), g.x(1)}, attrs), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ArrayReverse() {
  static const OpRow rows[] = {
      {.signature = "ReverseV2(tensor: T, axis: Tidx) -> (output: T) hands_on",
       .attrs = "Tidx: type = int32 in [int32, int64]; T: type in [numbers, bool, string]",
       .doc = "The tensor read backwards along each of the axes; naming one twice is an error.",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = ReverseV2Shapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = ReverseV2Gradient,
       .samples = {"[a b c] {0, -1}", "[a b] {1}", "[d...] {}", "[a b c] {1}"}},
      {.signature = "Reverse(tensor: T, dims: bool) -> (output: T) hands_on",
       .attrs = "T: type in [numbers, bool, string]",
       .doc = "The tensor read backwards along each dimension whose place in dims is true. It must have an entry along "
              "the first.",
       .gpu = "T in [floats, complexes, bool, int8, int16, int64, uint8, uint16, uint32, uint64]",
       .shape_fn = ReverseShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = ReverseGradient,
       .samples = {"[A b c] [3]", "[A b] {false, true}", "[A b c] {true, false, true}", "[A] {true}"}},
      {.signature = "ReverseSequence(input: T, seq_lengths: Tlen) -> (output: T)",
       .attrs = "seq_dim: int; batch_dim: int = 0; T: type; Tlen: type = int64 in [int32, int64]",
       .doc = "For each index b of dimension batch_dim, the first seq_lengths[b] slices of dimension seq_dim "
              "reversed, the others as they were. A length outside [0, size] is an error.",
       .cpu = "T in [numbers, bool, string]",
       .gpu = "T in [floats]",
       .shape_fn = ReverseSequenceShapes,
       .gradient = ReverseSequenceGradient,
       .samples = {"seq_dim=1: [b 4 c] [b] in 0..5", "seq_dim=0 batch_dim=1: [3 b] [b] in 0..4",
                   "seq_dim=2: [b a 4 c] [b] in 0..5"}},
  };
  return rows;
}

}  // namespace plumb::topics
