#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes RaggedGatherShapes(const ShapeContext& c) {
  const int64_t ragged_rank = c.attr<int64_t>("PARAMS_RAGGED_RANK"),
                result_rank = c.attr<int64_t>("OUTPUT_RAGGED_RANK");
  const auto params = static_cast<int>(ragged_rank);
  const int64_t indices_rank = result_rank - ragged_rank + 1;
  const PartialShape &values = WithRankAtLeast(c, params, 1), &indices = c.input(params + 1);
  Require(indices_rank >= 0 && (!indices.has_rank() || indices.rank() == indices_rank), InputName(c, params + 1),
          " must have rank OUTPUT_RAGGED_RANK - PARAMS_RAGGED_RANK + 1 = ", indices_rank, ", not the shape ",
          indices.ToString());
  for (int i = 0; i < params; ++i) WithRank(c, i, 1);
  Shapes shapes(static_cast<size_t>(result_rank), PartialShape::OfRank(1));
  shapes.push_back(values.has_rank() ? WithDim(values, 0, -1) : values);
  return shapes;
}

// Row i of params covers values[first[i] … first[i + 1]], where `first` follows the splits inwards.
Values RaggedGatherGradient(Gradient& g) {
  const auto ragged_rank = static_cast<int>(g.attr<int64_t>("PARAMS_RAGGED_RANK"));
  Endpoint first = g.x(0);
  for (int i = 1; i < ragged_rank; ++i) first = g.Call("GatherV2", {g.x(i), first, Zero(g)});
  const Endpoint rows = Flat(g, g.x(ragged_rank + 1));
  const DType split_type = g.dtype(first);
  const auto at_rows = [&](Endpoint ends) { return g.Call("GatherV2", {ends, rows, Zero(g)}); };
  const Endpoint next = g.Call("Slice", {first, g.Int32s({1}), g.Int32s({-1})});
  const NodeId covered = g.Add("RaggedRange", {at_rows(first), at_rows(next), g.Scalar(1, split_type)},
                               {{"T", split_type}, {"Tsplits", split_type}});
  Values gradients(static_cast<size_t>(g.num_inputs()));
  gradients[static_cast<size_t>(ragged_rank)] =
      GradientValue::Sparse(g.dy(g.num_outputs() - 1), Endpoint{covered, 1}, g.ShapeOf(g.x(ragged_rank)));
  return gradients;
}

}  // namespace

std::span<const OpRow> RaggedGather() {
  static const OpRow rows[] = {
      {.signature = "RaggedGather(params_nested_splits: Tsplits*PARAMS_RAGGED_RANK, params_dense_values: Tvalues, "
                    "indices: Tindices) -> (output_nested_splits: Tsplits*OUTPUT_RAGGED_RANK, output_dense_values: "
                    "Tvalues)",
       .attrs = "Tvalues: type; Tindices: type in [int32, int64]; Tsplits: type = int64 in [int32, int64]; "
                "PARAMS_RAGGED_RANK: int >= 1; OUTPUT_RAGGED_RANK: int >= 0",
       .doc = "The rows of a ragged tensor that indices name, in the shape of indices: its own axes, but the last, "
              "become splits of equal rows.",
       .cpu = "Tvalues in [numbers, quantized, bool, string]",
       .shape_fn = RaggedGatherShapes,
       .gradient = RaggedGatherGradient,
       .samples = {"PARAMS_RAGGED_RANK=1 OUTPUT_RAGGED_RANK=1: ({0, 2, 2, 5}) [5 k] [n] in 0..3",
                   "PARAMS_RAGGED_RANK=1 OUTPUT_RAGGED_RANK=0: ({0, 2, 2, 5}) [5] 2",
                   "PARAMS_RAGGED_RANK=1 OUTPUT_RAGGED_RANK=2: ({1, 2, 4}) [6 2] [n m] in 0..2",
                   "PARAMS_RAGGED_RANK=2 OUTPUT_RAGGED_RANK=2: ({0, 2, 2, 3} {0, 1, 1, 4}) [4] {2, 0, 1, 0}",
                   "PARAMS_RAGGED_RANK=2 OUTPUT_RAGGED_RANK=1: ({0, 2, 3} {0, 1, 1, 4}) [4 j] 1"}},
  };
  return rows;
}

}  // namespace plumb::topics
