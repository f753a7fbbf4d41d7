#include <algorithm>

#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// What remains of input `whole` behind the dimensions of input `prefix`, with which it must begin.
PartialShape Behind(const ShapeContext& c, int whole, int prefix) {
  if (!c.input(prefix).has_rank()) return PartialShape::Unknown();
  const PartialShape& shape = WithRankAtLeast(c, whole, c.input(prefix).rank());
  if (!shape.has_rank()) return shape;
  for (int axis = 0; axis < c.input(prefix).rank(); ++axis) MergeDims(c, shape.dim(axis), c.input(prefix).dim(axis));
  return Part(shape, c.input(prefix).rank());
}

Shapes DynamicPartitionShapes(const ShapeContext& c) {
  const PartialShape part = Join(PartialShape{-1}, Behind(c, 0, 1));
  return Shapes(static_cast<size_t>(c.attr<int64_t>("num_partitions")), part);
}

Shapes DynamicStitchShapes(const ShapeContext& c) {
  const int count = static_cast<int>(c.attr<int64_t>("N"));
  PartialShape row;
  int64_t rows = 0;  // one more than the largest index; -1: unknown
  for (int i = 0; i < count; ++i) {
    row = MergeShapes(c, row, Behind(c, count + i, i));
    const auto indices = ConstantInts(c, i);
    if (!indices) rows = -1;
    if (!indices || rows < 0) continue;
    for (const int64_t index : *indices) rows = std::max(rows, index + 1);
  }
  return {Join(PartialShape{rows}, row)};
}

// The positions are partitioned as the data were; stitching the gradients at those positions restores the order.
Values DynamicPartitionGradient(Gradient& g) {
  const Endpoint prefix = g.ShapeOf(g.x(1));
  const Endpoint count = g.Call("Prod", {prefix, Zero(g)});
  const Endpoint positions = g.Call("Reshape", {g.Call("Range", {Zero(g), count, One(g)}), prefix});
  const int parts = g.num_outputs();
  const NodeId where = g.Add("DynamicPartition", {positions, g.x(1)}, {{"num_partitions", parts}});
  std::vector<Endpoint> inputs;
  inputs.reserve(parts);
  for (int i = 0; i < parts; ++i) inputs.push_back({where, i});
  for (int i = 0; i < parts; ++i) inputs.push_back(g.dy(i));
  const Endpoint stitched = g.Call("DynamicStitch", inputs, {{"N", parts}});
  return {g.Call("Reshape", {stitched, g.ShapeOf(g.x(0))}), GradientValue::None()};
}

Values DynamicStitchGradient(Gradient& g) {
  const int count = g.num_inputs() / 2;
  Values values(2 * count);
  for (int i = 0; i < count; ++i) values[count + i] = g.Call("GatherV2", {g.dy(), g.x(i), Zero(g)});
  return values;
}

}  // namespace

std::span<const OpRow> ArrayPartition() {
  static const OpRow rows[] = {
      {.signature = "DynamicPartition(data: T, partitions: int32) -> (outputs: T*num_partitions)",
       .attrs = "num_partitions: int >= 1; T: type",
       .doc = "The slices of data sorted into num_partitions outputs as `partitions` says, in their order. "
              "The shape of partitions must begin the shape of data; a number out of range is an error.",
       .cpu = "T in [numbers, bool, resource, string, variant]",
       .gpu = "T in [floats, complexes, bool, int32, int64]",
       .shape_fn = DynamicPartitionShapes,
       .gradient = DynamicPartitionGradient,
       .samples = {"num_partitions=3: [a b] [a] in 0..3", "num_partitions=2: [a b c] [a b] in 0..2",
                   "num_partitions=1: [] 0"}},
      {.signature = "DynamicStitch(indices: int32*N, data: T*N) -> (merged: T)",
       .attrs = "N: int >= 1; T: type",
       .doc = "merged[indices[m][i]] = data[m][i]; where an index appears twice the later one stands. Rows "
              "that no index names are zeros.",
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, string, variant]",
       .gpu = "T in [floats, complexes, bool, int32, int64]",
       .shape_fn = DynamicStitchShapes,
       .gradient = DynamicStitchGradient,
       .gradient_trial = {.untried = "rows that are overwritten count too, as in TensorFlow"},
       .samples = {"({0, 2} {1, 3, 1}) ([2 b] [3 b])", "(1 {0}) ([b] [1 b])", "({{0, 1}, {3, 2}}) ([2 2])"}},
      {.signature = "ParallelDynamicStitch(indices: int32*N, data: T*N) -> (merged: T)",
       .attrs = "N: int >= 1; T: type",
       .doc =
           "As DynamicStitch, for indices that are all different: of an index that appears twice any slice may stand.",
       .cpu = "T in [numbers, bool, qint32, qint8, quint8, string, variant]",
       .gpu = "T in [floats, complexes, bool, int32, int64]",
       .shape_fn = DynamicStitchShapes,
       .gradient = DynamicStitchGradient,
       .samples = {"({0, 2} {1, 3, 4}) ([2 b] [3 b])", "(1 {0}) ([b] [1 b])", "({{0, 1}, {3, 2}}) ([2 2])"}},
  };
  return rows;
}

}  // namespace plumb::topics
