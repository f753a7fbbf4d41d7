#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes BoundShapes(const ShapeContext& c) {
  WithRank(c, 0, 2);
  return {WithRank(c, 1, 2)};
}

Shapes NthElementShapes(const ShapeContext& c) {
  const PartialShape& input = WithRankAtLeast(c, 0, 1);
  const int64_t n = SizeOnceKnown(c, 1);
  if (!input.has_rank()) return {input};
  const int64_t size = input.dim(input.rank() - 1);
  Require(size < 0 || n < size, "NthElement: rows of ", size, " elements have no element ", n);
  return {Part(input, 0, input.rank() - 1)};
}

// Elements that are equal to the result share the gradient.
Values NthElementGradient(Gradient& g) {
  const Endpoint last = g.Scalar(-1, DType::kInt32);
  const Endpoint hit = g.Call("Equal", {g.Call("ExpandDims", {g.y(), last}), g.x(0)});
  const Endpoint hits = g.Call("Cast", {hit}, {{"DstT", g.dtype(g.dy())}});
  const Endpoint share = g.Call("RealDiv", {hits, SumLast(g, hits)});
  return {g.Call("Mul", {share, g.Call("ExpandDims", {g.dy(), last})}), GradientValue::None()};
}

constexpr char kBoundAttrs[] = "T: type; out_type: type = int32 in [int32, int64]";

}  // namespace

std::span<const OpRow> ArraySorted() {
  static const OpRow rows[] = {
      {.signature = "LowerBound(sorted_inputs: T, values: T) -> (output: out_type)",
       .attrs = kBoundAttrs,
       .doc = "For each value the first place in its row of sorted_inputs where it could stand.",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats, int8, int16, int32, int64, uint8, uint16]",
       .shape_fn = BoundShapes,
       .samples = {"T in [floats, ints]: {{0, 1, 3, 3, 9}} [1 n] in 0..11",
                   "T in [floats, ints]: {{2, 5}, {1, 1}} [2 n] in 0..7", "[b 0] [b n]"}},
      {.signature = "UpperBound(sorted_inputs: T, values: T) -> (output: out_type)",
       .attrs = kBoundAttrs,
       .doc = "For each value the last place in its row of sorted_inputs where it could stand.",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats, int8, int16, int32, int64, uint8, uint16]",
       .shape_fn = BoundShapes,
       .samples = {"T in [floats, ints]: {{0, 1, 3, 3, 9}} [1 n] in 0..11",
                   "T in [floats, ints]: {{2, 5}, {1, 1}} [2 n] in 0..7", "[b 0] [b n]"}},
      {.signature = "NthElement(input: T, n: int32) -> (values: T)",
       .attrs = "reverse: bool = false; T: type in [floats, ints]",
       .doc =
           "Of each row along the last dimension the element that would stand at place n if it were sorted; `reverse` "
           "sorts downwards.",
       .shape_fn = NthElementShapes,
       .cost = 8,
       .gradient = NthElementGradient,
       .samples = {"[a b 5] in -9..9 2", "reverse=true: [a 7] in -9..9 0", "[N] finite 0",
                   "reverse=true: [b 40] finite 39"}},
  };
  return rows;
}

}  // namespace plumb::topics
