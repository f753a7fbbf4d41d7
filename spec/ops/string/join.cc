#include <algorithm>
#include <set>

#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// Scalars join with anything; the others have one shape.
Shapes StringJoinShapes(const ShapeContext& c) {
  PartialShape joined;
  bool all_scalars = true;
  for (int i = 0; i < c.num_inputs(); ++i) {
    const bool is_scalar = c.input(i).rank() == 0;
    if (!is_scalar) joined = MergeShapes(c, joined, c.input(i));
    all_scalars = all_scalars && is_scalar;
  }
  return {all_scalars ? PartialShape(Shape()) : joined};
}

// The axes that are named are gone, or 1.
Shapes ReduceJoinShapes(const ShapeContext& c) {
  const bool keep_dims = c.attr<bool>("keep_dims");
  const PartialShape& input = c.input(0);
  WithRankAtMost(c, 1, 1);
  const auto axes = ConstantInts(c, 1);
  if (!input.has_rank()) return {PartialShape()};
  if (!axes) return {keep_dims ? PartialShape(std::vector<int64_t>(input.rank(), -1)) : PartialShape()};
  std::set<int> joined;
  for (const int64_t axis : *axes) joined.insert(CanonicalAxis(c, axis, input.rank()));
  std::vector<int64_t> dims;
  for (int axis = 0; axis < input.rank(); ++axis) {
    if (!joined.contains(axis)) dims.push_back(input.dim(axis));
    if (joined.contains(axis) && keep_dims) dims.push_back(1);
  }
  return {PartialShape(std::move(dims))};
}

// A row of the input for each segment.
Shapes UnsortedSegmentJoinShapes(const ShapeContext& c) {
  const PartialShape &inputs = c.input(0), &ids = c.input(1);
  RequireScalar(c, 2);
  const int64_t segments = ConstantSize(c, 2);
  if (!ids.has_rank()) return {PartialShape()};
  WithRankAtLeast(c, 0, ids.rank());
  if (!inputs.has_rank()) return {PartialShape()};
  MergeShapes(c, Part(inputs, 0, ids.rank()), ids);
  return {Join(PartialShape{segments}, Part(inputs, ids.rank()))};
}

}  // namespace

std::span<const OpRow> StringJoin() {
  static const OpRow rows[] = {
      {.signature = "StringJoin(inputs: string*N) -> (output: string)",
       .attrs = "N: int >= 1; separator: string = ''",
       .doc = "The strings of all inputs one behind the other, element by element, with separator between them. "
              "Scalars join with every element.",
       .shape_fn = StringJoinShapes,
       .gradient = BlocksGradient(),
       .samples = {"([d...] [d...])", "separator='--': ([] [d...] [d...])", "separator='!': ([] [])", "([d...])"}},
      {.signature = "ReduceJoin(inputs: string, reduction_indices: int32) -> (output: string)",
       .attrs = "keep_dims: bool = false; separator: string = ''",
       .doc = "The strings along the named axes one behind the other, with separator between them. The axis that is "
              "named first is walked through first. Without axes the strings stay as they are.",
       .shape_fn = ReduceJoinShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = BlocksGradient(),
       .samples = {"separator='--': [a b c] 1", "keep_dims=true: [a b c] {2, 0}", "[a b] {0, 1}",
                   "keep_dims=true separator=',': [a b] {-1, -2}", "[a b...] 0", "[a... b] -1",
                   "separator='+': [a b] {}"}},
      {.signature = "UnsortedSegmentJoin(inputs: string, segment_ids: Tindices, num_segments: Tnumsegments) -> "
                    "(output: string)",
       .attrs = "separator: string = ''; Tindices: type in [int32, int64]; Tnumsegments: type = int32 in [int32, "
                "int64]",
       .doc = "Row s of the output is the rows of inputs whose segment is s one behind the other, with separator "
              "behind whatever is not empty.",
       .cpu = "Tindices in [int32, int64]; Tnumsegments in [int32, int64]",
       .shape_fn = UnsortedSegmentJoinShapes,
       .samples = {"separator='-': [m n] [m] in 0..3 3", "[m] [m] in 0..2 4", "separator=', ': [m n k] [m n] in 0..2 2",
                   "separator=':': [m] [m] in 0..700 700"}},
  };
  return rows;
}

}  // namespace plumb::topics
