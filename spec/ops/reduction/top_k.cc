#include "spec/graph/int32_attr.h"
#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// k is an attribute of TopK, and an input of TopKV2.
Shapes TopKShapes(const ShapeContext& c) {
  const PartialShape& input = WithRankAtLeast(c, 0, 1);
  const int64_t k = c.num_inputs() > 1 ? SizeOnceKnown(c, 1) : Int32Attr(c.attrs(), "k");
  if (!input.has_rank()) return {input, input};
  const int last = input.rank() - 1;
  Require(k < 0 || input.dim(last) < 0 || k <= input.dim(last), c.op().name, ": k is ", k,
          ", but the last dimension has only the size ", input.dim(last));
  return Shapes(2, WithDim(input, last, k));
}

// Each kept value's gradient goes back to the place it was taken from.
Values TopKGradient(Gradient& g) {
  const Endpoint input_shape = g.ShapeOf(g.x(0)), kept_shape = g.ShapeOf(g.y(1));
  const Endpoint columns = g.Call("Reshape", {Part(g, input_shape, -1, 0), g.Int32s({})});
  const Endpoint size = g.Call("Size", {g.x(0)});
  const Endpoint first = g.Call("Range", {Zero(g), size, g.Call("Maximum", {columns, One(g)})});
  const Endpoint matrix_shape = Concat(g, {g.Int32s({-1}), Part(g, kept_shape, -1, 0)});
  const Endpoint indices = g.Call(
      "Add", {g.Call("Reshape", {g.y(1), matrix_shape}), g.Call("ExpandDims", {first, g.Scalar(1, DType::kInt32)})});
  const Endpoint flat = g.Call("UnsortedSegmentSum", {Flat(g, g.dy(0)), Flat(g, indices), size});
  Values values = {g.Call("Reshape", {flat, input_shape})};
  values.resize(g.num_inputs(), GradientValue::None());
  return values;
}

}  // namespace

std::span<const OpRow> ReductionTopK() {
  static const OpRow rows[] = {
      {.signature = "TopKV2(input: T, k: int32) -> (values: T, indices: int32)",
       .attrs = "sorted: bool = true; T: type in [floats, ints]",
       .doc = "The k largest elements of each row of the last dimension in falling order, and their "
              "positions; equal ones in the order of their positions.",
       .gpu = "T in [floats, int64]",
       .shape_fn = TopKShapes,
       .gradient = TopKGradient,
       .samples = {"[a 5] finite 3", "[d... K] finite 1", "[6] in 0..3 6"}},
      {.signature = "TopK(input: T) -> (values: T, indices: int32)",
       .attrs = "k: int >= 0; sorted: bool = true; T: type in [floats, ints]",
       .doc = "TopKV2 whose k is an attribute.",
       .gpu = "T in [floats, int64]",
       .shape_fn = TopKShapes,
       .gradient = TopKGradient,
       .gradient_trial = {.untried = "it is the rule of TopKV2, and graphs of today do not have the op"},
       .samples = {"k=3: [a 5] finite", "k=1: [d... K] finite", "k=6: [6] in 0..3"},
       .deprecated = {7, "Use TopKV2 instead"}},
      {.signature = "InTopK(predictions: float32, targets: T) -> (precision: bool)",
       .attrs = "k: int; T: type = int32 in [int32, int64]",
       .doc = "For each row whether the target class is among the k largest predictions; ties with the last "
              "place count. Not so for a target out of range or a prediction that is not finite.",
       .gpu = "T in [int32, int64]",
       .shape = "[b c] [b] -> [b]",
       .samples = {"k=2: [b 4] [b] in 0..5", "k=1: [b 3] finite [b] in 0..3"}},
      {.signature = "InTopKV2(predictions: float32, targets: T, k: T) -> (precision: bool)",
       .attrs = "T: type = int32 in [int32, int64]",
       .doc = "InTopK whose k is an input.",
       .gpu = "T in [int32, int64]",
       .shape = "[b c] [b] ? -> [b]",
       .samples = {"[b 4] [b] in 0..5 2", "[b 3] finite [b] in 0..3 1", "[b c] finite [b] in -1..6 [] in -1..5"}},
  };
  return rows;
}

}  // namespace plumb::topics
