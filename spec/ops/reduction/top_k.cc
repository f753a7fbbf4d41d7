#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes TopKShapes(const ShapeContext& c) {
  const PartialShape& input = WithRankAtLeast(c, 0, 1);
  const int64_t k = ConstantSize(c, 1);
  if (!input.has_rank()) return {input, input};
  const int last = input.rank() - 1;
  Require(k < 0 || input.dim(last) < 0 || k <= input.dim(last), "TopKV2: k is ", k,
          ", but the last dimension has only the size ", input.dim(last));
  return Shapes(2, WithDim(input, last, k));
}

// Each kept value's gradient goes back to the place it was taken from.
Values TopKV2Gradient(Gradient& g) {
  const Endpoint input_shape = g.ShapeOf(g.x(0)), kept_shape = g.ShapeOf(g.y(1));
  const Endpoint columns = g.Call("Reshape", {Part(g, input_shape, -1, 0), g.Int32s({})});
  const Endpoint size = g.Call("Size", {g.x(0)});
  const Endpoint first = g.Call("Range", {Zero(g), size, g.Call("Maximum", {columns, One(g)})});
  const Endpoint matrix_shape = Concat(g, {g.Int32s({-1}), Part(g, kept_shape, -1, 0)});
  const Endpoint indices = g.Call(
      "Add", {g.Call("Reshape", {g.y(1), matrix_shape}), g.Call("ExpandDims", {first, g.Scalar(1, DType::kInt32)})});
  const Endpoint flat = g.Call("UnsortedSegmentSum", {Flat(g, g.dy(0)), Flat(g, indices), size});
  return {g.Call("Reshape", {flat, input_shape}), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ReductionTopK() {
  static const OpRow rows[] = {
      {.signature = "TopKV2(input: T, k: int32) -> (values: T, indices: int32)",
       .attrs = "sorted: bool = true; T: type in [floats, ints]",
       .doc = "The k largest elements of each row of the last dimension in falling order, and their "
              "positions; equal ones in the order of their positions.",
       .shape_fn = TopKShapes,
       .gradient = TopKV2Gradient,
       .samples = {"[a 5] finite 3", "[d... K] finite 1", "[6] in 0..3 6"}},
      {.signature = "InTopK(predictions: float32, targets: T) -> (precision: bool)",
       .attrs = "k: int; T: type = int32 in [int32, int64]",
       .doc = "For each row whether the target class is among the k largest predictions; ties with the last "
              "place count. Not so for a target out of range or a prediction that is not finite.",
       .shape = "[b c] [b] -> [b]",
       .samples = {"k=2: [b 4] [b] in 0..5", "k=1: [b 3] finite [b] in 0..3"}},
      {.signature = "InTopKV2(predictions: float32, targets: T, k: T) -> (precision: bool)",
       .attrs = "T: type = int32 in [int32, int64]",
       .doc = "InTopK, with k as an input.",
       .shape = "[b c] [b] [] -> [b]",
       .samples = {"[b 4] [b] in 0..5 2", "[b 3] finite [b] in 0..3 1"}},
  };
  return rows;
}

}  // namespace plumb::topics
