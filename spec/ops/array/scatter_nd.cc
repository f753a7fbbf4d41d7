#include "spec/ops/gradient_helpers.h"
#include "spec/ops/named_slices.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// The shape of the target.
Shapes ScatteredInto(const ShapeContext& c, const PartialShape& target, const PartialShape& indices,
                     const PartialShape& updates) {
  RequireSlicesFit(c, target, indices, updates);
  return {target};
}

Shapes ScatterNdShapes(const ShapeContext& c) {
  return ScatteredInto(c, ConstantShape(c, 2), WithRankAtLeast(c, 0, 1), WithRankAtLeast(c, 1, 1));
}

Shapes ScatterIntoInputShapes(const ShapeContext& c) {
  return ScatteredInto(c, WithRankAtLeast(c, 0, 1), WithRankAtLeast(c, 1, 1), c.input(2));
}

Values ScatterNdGradient(Gradient& g) {
  return {GradientValue::None(), g.Call("GatherNd", {g.dy(), g.x(0)}), GradientValue::None()};
}

Values ScatterNdAddGradient(Gradient& g) {
  return {g.dy(), GradientValue::None(), g.Call("GatherNd", {g.dy(), g.x(1)})};
}

Values ScatterNdSubGradient(Gradient& g) {
  return {g.dy(), GradientValue::None(), g.Call("Neg", {g.Call("GatherNd", {g.dy(), g.x(1)})})};
}

// What is as great as the result, in the tensor and among the updates, shares the gradient.
Values ScatterNdExtremeGradient(Gradient& g) {
  const Endpoint tensor = g.x(0), indices = g.x(1), updates = g.x(2), dy = g.dy();
  const auto ones_where_equal = [&](Endpoint a, Endpoint b) {
    return g.Call("Cast", {g.Call("Equal", {a, b})}, {{"DstT", g.dtype(dy)}});
  };
  const Endpoint kept = ones_where_equal(tensor, g.y());
  const Endpoint taken = ones_where_equal(updates, g.Call("GatherNd", {g.y(), indices}));
  const Endpoint shape = g.Call("Shape", {tensor}, {{"out_type", g.dtype(indices)}});
  const Endpoint sharers = g.Call("AddV2", {kept, g.Call("ScatterNd", {indices, taken, shape})});
  return {g.Call("RealDiv", {g.Call("Mul", {dy, kept}), sharers}), GradientValue::None(),
          g.Call("Mul", {g.Call("GatherNd", {g.Call("RealDiv", {dy, sharers}), indices}), taken})};
}

// For indices that name no slice twice.
Values ScatterNdUpdateGradient(Gradient& g) {
  return {g.Call("TensorScatterUpdate", {g.dy(), g.x(1), g.ZerosLike(g.x(2))}), GradientValue::None(),
          g.Call("GatherNd", {g.dy(), g.x(1)})};
}

}  // namespace

std::span<const OpRow> ArrayScatterNd() {
  static const OpRow rows[] = {
      {.signature = "ScatterNd(indices: Tindices, updates: T, shape: Tindices) -> (output: T)",
       .attrs = "T: type; Tindices: type in [int16, int32, int64]",
       .doc =
           "Zeros of the given shape, with the updates added to the slices whose first coordinates stand in the last "
           "dimension of the indices. Strings are joined; coordinates outside of the shape are an error.",
       .cpu = "T in [numbers, bool, string]; Tindices in [int32, int64]",
       .gpu = "T in [floats, complexes, int32, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterNdShapes,
       .accuracy = Summation(),
       .gradient = ScatterNdGradient,
       .samples = {"[n 1] in 0..P [n B] {P, B}", "[i j 2] in 0..5 [i j B] {5, 6, B}", "[n 3] in 0..4 [n] {4, 4, 5}",
                   "{{4}, {3}, {1}, {7}} [4] {8}", "{{0}, {2}} [2 4 4] {4, 4, 4}", "[0 1] [0 B] {P, B}",
                   "{{1}, {1}, {0}} [3 B] {2, B}"}},
      {.signature = "ScatterNdNonAliasingAdd(input: T, indices: Tindices, updates: T) -> (output: T)",
       .attrs = "T: type in [numbers, quantized, bool]; Tindices: type in [int32, int64]",
       .doc =
           "The input with the updates added to the slices whose first coordinates stand in the last dimension of the "
           "indices. Coordinates outside of the input are an error.",
       .cpu = "T in [numbers, bool]",
       .gpu = "T in [floats, complexes, int32, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterIntoInputShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .gradient = ScatterNdAddGradient,
       .samples = {"[P B] [n 1] in 0..P [n B]", "[5 6 B] [i j 2] in 0..5 [i j B]", "[4 4 5] [n 3] in 0..4 [n]",
                   "[8] {{4}, {3}, {1}, {7}} [4]", "[2 B] {{1}, {1}, {0}} [3 B]"}},
      {.signature = "TensorScatterUpdate(tensor: T, indices: Tindices, updates: T) -> (output: T)",
       .attrs = "T: type; Tindices: type in [int16, int32, int64, uint16]",
       .doc = "The tensor with the slices whose first coordinates stand in the last dimension of the indices replaced "
              "by the updates, one after the other. Coordinates outside of the tensor are an error.",
       .cpu = "T in [numbers, bool, string]; Tindices in [int32, int64]",
       .gpu = "T in [floats, complexes, bool, int32, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterIntoInputShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = ScatterNdUpdateGradient,
       .samples = {"[8] {{4}, {3}, {1}, {7}} [4]", "[3 B] {{2}, {0}} [2 B]", "[5 6 B] {{0, 5}, {4, 2}} [2 B]",
                   "[P B] [1 1] in 0..P [1 B]"}},
      {.signature = "TensorScatterAdd(tensor: T, indices: Tindices, updates: T) -> (output: T)",
       .attrs = "T: type; Tindices: type in [int32, int64]",
       .doc = "The tensor with the updates added to the slices whose first coordinates stand in the last dimension of "
              "the indices. Coordinates outside of the tensor are an error.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, complexes, int32, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterIntoInputShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .gradient = ScatterNdAddGradient,
       .samples = {"[P B] [n 1] in 0..P [n B]", "[5 6 B] [i j 2] in 0..5 [i j B]", "[2 B] {{1}, {1}, {0}} [3 B]"}},
      {.signature = "TensorScatterSub(tensor: T, indices: Tindices, updates: T) -> (output: T)",
       .attrs = "T: type; Tindices: type in [int32, int64]",
       .doc = "The tensor with the updates subtracted from the slices whose first coordinates stand in the last "
              "dimension of the indices. Coordinates outside of the tensor are an error.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats, complexes, int32, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterIntoInputShapes,
       .strictness = Strictness::kStricterThanKernel,
       .accuracy = Summation(),
       .gradient = ScatterNdSubGradient,
       .samples = {"[P B] [n 1] in 0..P [n B]", "[5 6 B] [i j 2] in 0..5 [i j B]", "[2 B] {{1}, {1}, {0}} [3 B]"}},
      {.signature = "TensorScatterMax(tensor: T, indices: Tindices, updates: T) -> (output: T<either_zero>)",
       .attrs = "T: type; Tindices: type in [int32, int64]",
       .doc =
           "The tensor with each update in the place of the element that it is greater than, in the slices whose first "
           "coordinates stand in the last dimension of the indices. Coordinates outside of the tensor are an error.",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterIntoInputShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = ScatterNdExtremeGradient,
       .samples = {"[P B] [n 1] in 0..P [n B]", "[5 6 B] [i j 2] in 0..5 [i j B]", "[2 B] {{1}, {1}, {0}} [3 B]"}},
      {.signature = "TensorScatterMin(tensor: T, indices: Tindices, updates: T) -> (output: T<either_zero>)",
       .attrs = "T: type; Tindices: type in [int32, int64]",
       .doc = "The tensor with each update in the place of the element that it is less than, in the slices whose first "
              "coordinates stand in the last dimension of the indices. Coordinates outside of the tensor are an error.",
       .cpu = "T in [floats, ints]",
       .gpu = "T in [floats, int64]; Tindices in [int32, int64]",
       .shape_fn = ScatterIntoInputShapes,
       .strictness = Strictness::kStricterThanKernel,
       .gradient = ScatterNdExtremeGradient,
       .samples = {"[P B] [n 1] in 0..P [n B]", "[5 6 B] [i j 2] in 0..5 [i j B]", "[2 B] {{1}, {1}, {0}} [3 B]"}},
  };
  return rows;
}

}  // namespace plumb::topics
