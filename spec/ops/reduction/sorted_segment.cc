#include "spec/ops/op_def.h"
#include "spec/ops/reduction/segment_gradients.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes SortedSegmentShapes(const ShapeContext& c) {
  const PartialShape& data = WithRankAtLeast(c, 0, 1);
  WithRank(c, 1, 1);
  return {data.has_rank() ? WithDim(data, 0, -1) : data};
}

Values SegmentSumGradient(Gradient& g) { return {Gathered(g, g.dy(), g.x(1)), GradientValue::None()}; }

Values SegmentMeanGradient(Gradient& g) {
  const Endpoint rank = g.Call("Sub", {g.Call("Rank", {g.x(0)}), One(g)});
  const Endpoint trailing = g.Call("Fill", {g.Call("ExpandDims", {rank, Zero(g)}), One(g)});
  const Endpoint shape = g.Call("ConcatV2", {g.ShapeOf(g.x(1)), trailing, Zero(g)}, {{"N", 2}});
  const Endpoint ones = g.Call("Fill", {shape, g.Scalar(1, g.dtype(g.dy()))});
  const Endpoint counts = g.Call("SegmentSum", {ones, g.x(1)});
  return {Gathered(g, g.Call("RealDiv", {g.dy(), counts}), g.x(1)), GradientValue::None()};
}

// The product of the other factors: by division, or, for the one factor of a segment that is zero, without it. Where
// more are zero, nothing is left.
Values SegmentProdGradient(Gradient& g) {
  const Endpoint ids = g.x(1);
  const Endpoint is_zero = g.Call("Equal", {g.x(0), g.ZerosLike(g.x(0))});
  const Endpoint zeros = g.Call("SegmentSum", {AsType(g, is_zero, DType::kInt32), ids});
  const Endpoint dy = Selected(g, g.Call("Greater", {zeros, One(g)}), g.ZerosLike(g.dy()), g.dy());
  const Endpoint factors = Selected(g, is_zero, OnesLike(g, g.x(0)), g.x(0));
  const Endpoint nonzero = g.Call("SegmentProd", {factors, ids});
  const Endpoint quotient = g.Call("RealDiv", {Gathered(g, g.y(0), ids), factors});
  const Endpoint partial = Selected(g, is_zero, Gathered(g, nonzero, ids), quotient);
  return {g.Call("Mul", {Gathered(g, dy, ids), partial}), GradientValue::None()};
}

// Equal winners share the gradient.
Values SegmentExtremumGradient(Gradient& g) {
  const Endpoint selected = g.Call("Equal", {g.x(0), Gathered(g, g.y(0), g.x(1))});
  const Endpoint count = g.Call("SegmentSum", {AsType(g, selected, g.dtype(g.dy())), g.x(1)});
  const Endpoint shared = Gathered(g, g.Call("RealDiv", {g.dy(), count}), g.x(1));
  return {Selected(g, selected, shared, g.ZerosLike(g.x(0))), GradientValue::None()};
}
Values SegmentMaxGradient(Gradient& g) { return SegmentExtremumGradient(g); }
Values SegmentMinGradient(Gradient& g) { return SegmentExtremumGradient(g); }

// Numbers with and without gaps; many rows in few segments, and few in each of many.
std::vector<const char*> SortedSegmentSamples() {
  return {"[6 b] {0, 0, 1, 3, 3, 3}", "[5] {0, 1, 2, 3, 4}", "[4 b c] {2, 2, 2, 2}",
          "i = Cumsum T=$Tindices: [n] in 0..2 0; [n b] i"};
}

}  // namespace

std::span<const OpRow> ReductionSortedSegment() {
  static const OpRow rows[] = {
      {.signature = "SegmentSum(data: T, segment_ids: Tindices) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]",
       .doc = "The sums of neighbouring rows of data with equal segment numbers, which ascend; zeros for a number that "
              "no row has. Numbers that descend or are negative are an error.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape_fn = SortedSegmentShapes,
       .accuracy = Summation(),
       .gradient = SegmentSumGradient,
       .samples = SortedSegmentSamples()},
      {.signature = "SegmentMean(data: T, segment_ids: Tindices) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]",
       .doc = "The means of neighbouring rows of data with equal segment numbers, which ascend; zeros for a number "
              "that no row has. Integers are divided towards zero. Numbers that descend or are negative are an error.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape_fn = SortedSegmentShapes,
       .accuracy = Summation(),
       .gradient = SegmentMeanGradient,
       .samples = SortedSegmentSamples()},
      {.signature = "SegmentProd(data: T, segment_ids: Tindices) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]",
       .doc = "The products of neighbouring rows of data with equal segment numbers, which ascend; ones for a number "
              "that no row has. Numbers that descend or are negative are an error.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape_fn = SortedSegmentShapes,
       .accuracy = Composed(1),
       .gradient = SegmentProdGradient,
       .samples = SortedSegmentSamples()},
      {.signature = "SegmentMax(data: T, segment_ids: Tindices) -> (output: T<either_zero>)",
       .attrs = "T: type in [floats, ints]; Tindices: type in [int32, int64]",
       .doc = "The largest of neighbouring rows of data with equal segment numbers, which ascend; zeros for a number "
              "that no row has. Numbers that descend or are negative are an error.",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape_fn = SortedSegmentShapes,
       .gradient = SegmentMaxGradient,
       .samples = SortedSegmentSamples()},
      {.signature = "SegmentMin(data: T, segment_ids: Tindices) -> (output: T<either_zero>)",
       .attrs = "T: type in [floats, ints]; Tindices: type in [int32, int64]",
       .doc = "The smallest of neighbouring rows of data with equal segment numbers, which ascend; zeros for a number "
              "that no row has. Numbers that descend or are negative are an error.",
       .gpu = "T in [floats]; Tindices in [int32, int64]",
       .shape_fn = SortedSegmentShapes,
       .gradient = SegmentMinGradient,
       .samples = SortedSegmentSamples()},
  };
  return rows;
}

}  // namespace plumb::topics
