#include "spec/ops/op_def.h"
#include "spec/ops/reduction/segment_gradients.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes UnsortedSegmentShapes(const ShapeContext& c) {
  const int64_t segments = ConstantSize(c, 2);
  const PartialShape& ids = c.input(1);
  if (!ids.has_rank()) return {PartialShape::Unknown()};
  const PartialShape& data = WithRankAtLeast(c, 0, ids.rank());
  if (!data.has_rank()) return {data};
  for (int axis = 0; axis < ids.rank(); ++axis) MergeDims(c, data.dim(axis), ids.dim(axis));
  return {Join(PartialShape{segments}, Part(data, ids.rank()))};
}

// Values gathered by segment; rows whose number is negative belong to no segment.
struct Rows {
  Endpoint ids;    // with zeros in the place of negative numbers
  Endpoint valid;  // where it is not negative, in the shape of data

  explicit Rows(Gradient& g) {
    ids = g.Call("Maximum", {g.x(1), g.ZerosLike(g.x(1))});
    const Endpoint valid_ids = g.Call("GreaterEqual", {g.x(1), g.Scalar(0, g.dtype(g.x(1)))});
    const Endpoint rank = g.Call("Sub", {g.Call("Rank", {g.x(0)}), g.Call("Rank", {g.x(1)})});
    const Endpoint trailing = g.Call("Fill", {g.Call("ExpandDims", {rank, Zero(g)}), One(g)});
    const Endpoint shape = g.Call("ConcatV2", {g.ShapeOf(g.x(1)), trailing, Zero(g)}, {{"N", 2}});
    valid = g.Call("LogicalAnd",
                   {g.Call("Reshape", {valid_ids, shape}), g.Call("OnesLike", {g.Call("Equal", {g.x(0), g.x(0)})})});
  }
  Endpoint Of(Gradient& g, Endpoint value) const {
    const Endpoint rows = Gathered(g, value, ids);
    return Selected(g, valid, rows, g.ZerosLike(rows));
  }
};

// Rows whose segment id is negative were dropped, so their gradient is zero, whatever comes for others.
Values UnsortedSegmentSumGradient(Gradient& g) {
  return {Rows(g).Of(g, g.dy()), GradientValue::None(), GradientValue::None()};
}

Values UnsortedSegmentExtremumGradient(Gradient& g) {
  const Rows rows(g);
  const DType dtype = g.dtype(g.dy());
  const Endpoint selected = g.Call("LogicalAnd", {g.Call("Equal", {g.x(0), rows.Of(g, g.y(0))}), rows.valid});
  const Endpoint count = g.Call("UnsortedSegmentSum", {AsType(g, selected, dtype), g.x(1), g.x(2)});
  const Endpoint shared = rows.Of(g, g.Call("RealDiv", {g.dy(), count}));
  return {Selected(g, selected, shared, g.ZerosLike(shared)), GradientValue::None(), GradientValue::None()};
}
Values UnsortedSegmentMaxGradient(Gradient& g) { return UnsortedSegmentExtremumGradient(g); }
Values UnsortedSegmentMinGradient(Gradient& g) { return UnsortedSegmentExtremumGradient(g); }

// The product of the other factors: by division, or, for the one factor of a segment that is zero, without it. Where
// more are zero, nothing is left.
Values UnsortedSegmentProdGradient(Gradient& g) {
  const Rows rows(g);
  const Endpoint is_zero = g.Call("Equal", {g.x(0), g.ZerosLike(g.x(0))});
  const Endpoint zeros = g.Call("UnsortedSegmentSum", {AsType(g, is_zero, DType::kInt32), g.x(1), g.x(2)});
  const Endpoint dy = Selected(g, g.Call("Greater", {zeros, One(g)}), g.ZerosLike(g.dy()), g.dy());
  const Endpoint factors = Selected(g, is_zero, OnesLike(g, g.x(0)), g.x(0));
  const Endpoint nonzero = g.Call("UnsortedSegmentProd", {factors, g.x(1), g.x(2)});
  const Endpoint quotient = g.Call("RealDiv", {Gathered(g, g.y(0), rows.ids), g.x(0)});
  const Endpoint partial = Selected(g, is_zero, Gathered(g, nonzero, rows.ids), quotient);
  return {g.Call("Mul", {rows.Of(g, dy), partial}), GradientValue::None(), GradientValue::None()};
}

}  // namespace

std::span<const OpRow> ReductionSegment() {
  static const OpRow rows[] = {
      {.signature = "UnsortedSegmentSum(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; Tnumsegments: type = int32 "
                "in [int32, int64]",
       .doc = "The rows of data added up by their segment number, one output row for each of num_segments. "
              "Negative numbers are skipped; one that is too large is an error.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats]",
       .shape_fn = UnsortedSegmentShapes,
       .accuracy = Summation(),
       .gradient = UnsortedSegmentSumGradient,
       .samples = {"[a b] [a] in 0..4 4", "[a b c] [a b] in -1..3 3", "[] 0 2"}},
      {.signature = "UnsortedSegmentProd(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: T)",
       .attrs = "T: type in [numbers, quantized]; Tindices: type in [int32, int64]; Tnumsegments: type = int32 "
                "in [int32, int64]",
       .doc = "The rows of data multiplied by their segment number, one output row for each of num_segments; ones for "
              "a segment without rows. Negative numbers are skipped; one that is too large is an error.",
       .cpu = "T in [numbers]",
       .gpu = "T in [floats]",
       .shape_fn = UnsortedSegmentShapes,
       .accuracy = Composed(1),
       .gradient = UnsortedSegmentProdGradient,
       .samples = {"[a b] [a] in 0..4 4", "[a b c] [a b] in -1..3 3", "[] 0 2"}},
      {.signature =
           "UnsortedSegmentMax(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: T<either_zero>)",
       .attrs = "T: type in [floats, ints]; Tindices: type in [int32, int64]; Tnumsegments: type = int32 in [int32, "
                "int64]",
       .doc = "The largest of the rows of data by their segment number, one output row for each of num_segments; the "
              "lowest finite number for a segment without rows. Negative numbers are skipped; one that is too large is "
              "an error.",
       .gpu = "T in [floats]",
       .shape_fn = UnsortedSegmentShapes,
       .gradient = UnsortedSegmentMaxGradient,
       .samples = {"[a b] [a] in 0..4 4", "[a b c] [a b] in -1..3 3", "[] 0 2"}},
      {.signature =
           "UnsortedSegmentMin(data: T, segment_ids: Tindices, num_segments: Tnumsegments) -> (output: T<either_zero>)",
       .attrs = "T: type in [floats, ints]; Tindices: type in [int32, int64]; Tnumsegments: type = int32 in [int32, "
                "int64]",
       .doc = "The smallest of the rows of data by their segment number, one output row for each of num_segments; the "
              "highest finite number for a segment without rows. Negative numbers are skipped; one that is too large "
              "is an error.",
       .gpu = "T in [floats]",
       .shape_fn = UnsortedSegmentShapes,
       .gradient = UnsortedSegmentMinGradient,
       .samples = {"[a b] [a] in 0..4 4", "[a b c] [a b] in -1..3 3", "[] 0 2"}},
  };
  return rows;
}

}  // namespace plumb::topics
