#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// Rows of data, `rows` of them.
Shapes RowsOfData(const ShapeContext& c, int64_t rows) {
  const PartialShape& data = WithRankAtLeast(c, 0, 1);
  MergeDims(c, WithRank(c, 1, 1).dim(0), WithRank(c, 2, 1).dim(0));
  return {data.has_rank() ? WithDim(data, 0, rows) : data};
}
Shapes SparseSegmentShapes(const ShapeContext& c) { return RowsOfData(c, -1); }
Shapes GivenSegmentShapes(const ShapeContext& c) { return RowsOfData(c, ConstantSize(c, 3)); }

// The gradient op of the forward op, which needs the number of rows that data has.
Values SparseSegmentGradient(Gradient& g, const char* op) {
  const Endpoint rows = g.Call("StridedSlice", {g.ShapeOf(g.x(0)), g.Int32s({0}), g.Int32s({1}), g.Int32s({1})},
                               {{"shrink_axis_mask", 1}});
  Values values(static_cast<size_t>(g.num_inputs()));
  values[0] = g.Call(op, {g.dy(), g.x(1), g.x(2), rows});
  return values;
}
Values SparseSegmentSumGradient(Gradient& g) { return SparseSegmentGradient(g, "SparseSegmentSumGrad"); }
Values SparseSegmentMeanGradient(Gradient& g) { return SparseSegmentGradient(g, "SparseSegmentMeanGrad"); }
Values SparseSegmentSqrtNGradient(Gradient& g) { return SparseSegmentGradient(g, "SparseSegmentSqrtNGrad"); }

std::vector<const char*> SparseSegmentSamples() {
  return {"[P b] [6] in 0..P {0, 0, 1, 3, 3, 3}", "[P] [4] in 0..P {0, 1, 2, 2}",
          "[P b] [12] in 0..P {0, 0, 0, 0, 0, "
          "0, 0, 0, 0, 0, 0, 2}",
          "i = Cumsum T=$Tsegmentids: [n] in 0..2 0; [P b] [n] in 0..P i"};
}
std::vector<const char*> GivenSegmentSamples() {
  return {"[P b] [6] in 0..P {0, 0, 1, 3, 3, 3} 5", "[P] [4] in 0..P {1, 1, 2, 2} 3",
          "[P b] [0] in 0..P [0] in 0..1 2"};
}
std::vector<const char*> SparseSegmentGradSamples() {
  return {"[4 b] [6] in 0..5 {0, 0, 1, 3, 3, 3} 5", "[P] [n] in 0..7 [n] in 0..P 7", "[P b] [0] in 0..P [0] in 0..1 3"};
}

}  // namespace

std::span<const OpRow> ReductionSparseSegment() {
  static const OpRow rows[] = {
      {.signature = "SparseSegmentSum(data: T, indices: Tidx, segment_ids: Tsegmentids) -> (output: T)",
       .attrs = "T: type in [floats, ints]; Tidx: type = int32 in [int32, int64]; Tsegmentids: type = int32 in [int32, "
                "int64]",
       .doc = "The sums of the rows of data that indices name, by segment numbers, which ascend; zeros for a number "
              "that nothing has.",
       .gpu = "T in [floats]; Tidx in [int32, int64]; Tsegmentids in [int32, int64]",
       .shape_fn = SparseSegmentShapes,
       .accuracy = Summation(),
       .gradient = SparseSegmentSumGradient,
       .samples = SparseSegmentSamples()},
      {.signature = "SparseSegmentSumWithNumSegments(data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: "
                    "Tnumsegments) -> (output: T)",
       .attrs = "T: type in [floats, ints]; Tidx: type = int32 in [int32, int64]; Tnumsegments: type = int32 in "
                "[int32, int64]; Tsegmentids: type = int32 in [int32, int64]",
       .doc = "The sums of the rows of data that indices name, by segment numbers, which ascend and are below "
              "num_segments; zeros for a number that nothing has.",
       .gpu = "T in [floats]; Tidx in [int32, int64]; Tsegmentids in [int32, int64]; Tnumsegments in [int32, int64]",
       .shape_fn = GivenSegmentShapes,
       .accuracy = Summation(),
       .gradient = SparseSegmentSumGradient,
       .samples = GivenSegmentSamples()},
      {.signature =
           "SparseSegmentSumGrad(grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32) -> (output: T)",
       .attrs =
           "T: type in [floats]; Tidx: type = int32 in [int32, int64]; Tsegmentids: type = int32 in [int32, int64]",
       .doc = "The gradient of SparseSegmentSum with respect to data of output_dim0 rows.",
       .gpu = "T in [floats]; Tidx in [int32, int64]; Tsegmentids in [int32, int64]",
       .shape_fn = GivenSegmentShapes,
       .accuracy = Summation(),
       .samples = SparseSegmentGradSamples()},
      {.signature = "SparseSegmentMean(data: T, indices: Tidx, segment_ids: Tsegmentids) -> (output: T)",
       .attrs =
           "T: type in [floats]; Tidx: type = int32 in [int32, int64]; Tsegmentids: type = int32 in [int32, int64]",
       .doc = "The means of the rows of data that indices name, by segment numbers, which ascend; zeros for a number "
              "that nothing has.",
       .gpu = "T in [floats]; Tidx in [int32, int64]; Tsegmentids in [int32, int64]",
       .shape_fn = SparseSegmentShapes,
       .accuracy = Composed(1),
       .gradient = SparseSegmentMeanGradient,
       .samples = SparseSegmentSamples()},
      {.signature = "SparseSegmentMeanWithNumSegments(data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: "
                    "Tnumsegments) -> (output: T)",
       .attrs = "T: type in [floats]; Tidx: type = int32 in [int32, int64]; Tnumsegments: type = int32 in [int32, "
                "int64]; Tsegmentids: type = int32 in [int32, int64]",
       .doc = "The means of the rows of data that indices name, by segment numbers, which ascend and are below "
              "num_segments; zeros for a number that nothing has.",
       .gpu = "T in [floats]; Tidx in [int32, int64]; Tsegmentids in [int32, int64]; Tnumsegments in [int32, int64]",
       .shape_fn = GivenSegmentShapes,
       .accuracy = Composed(1),
       .gradient = SparseSegmentMeanGradient,
       .samples = GivenSegmentSamples()},
      {.signature =
           "SparseSegmentMeanGrad(grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32) -> (output: T)",
       .attrs =
           "T: type in [floats]; Tidx: type = int32 in [int32, int64]; Tsegmentids: type = int32 in [int32, int64]",
       .doc = "The gradient of SparseSegmentMean with respect to data of output_dim0 rows.",
       .gpu = "T in [floats]; Tidx in [int32, int64]; Tsegmentids in [int32, int64]",
       .shape_fn = GivenSegmentShapes,
       .accuracy = Composed(1),
       .samples = SparseSegmentGradSamples()},
      {.signature = "SparseSegmentSqrtN(data: T, indices: Tidx, segment_ids: Tsegmentids) -> (output: T)",
       .attrs =
           "T: type in [floats]; Tidx: type = int32 in [int32, int64]; Tsegmentids: type = int32 in [int32, int64]",
       .doc = "The sums of the rows of data that indices name, by segment numbers, which ascend, divided by the square "
              "root of how many they are; zeros for a number that nothing has.",
       .gpu = "T in [floats]; Tidx in [int32, int64]; Tsegmentids in [int32, int64]",
       .shape_fn = SparseSegmentShapes,
       .accuracy = Composed(1),
       .gradient = SparseSegmentSqrtNGradient,
       .samples = SparseSegmentSamples()},
      {.signature = "SparseSegmentSqrtNWithNumSegments(data: T, indices: Tidx, segment_ids: Tsegmentids, num_segments: "
                    "Tnumsegments) -> (output: T)",
       .attrs = "T: type in [floats]; Tidx: type = int32 in [int32, int64]; Tnumsegments: type = int32 in [int32, "
                "int64]; Tsegmentids: type = int32 in [int32, int64]",
       .doc = "SparseSegmentSqrtN, of segment numbers below num_segments; zeros for a number that nothing has.",
       .gpu = "T in [floats]; Tidx in [int32, int64]; Tsegmentids in [int32, int64]; Tnumsegments in [int32, int64]",
       .shape_fn = GivenSegmentShapes,
       .accuracy = Composed(1),
       .gradient = SparseSegmentSqrtNGradient,
       .samples = GivenSegmentSamples()},
      {.signature = "SparseSegmentSqrtNGrad(grad: T, indices: Tidx, segment_ids: Tsegmentids, output_dim0: int32) -> "
                    "(output: T)",
       .attrs =
           "T: type in [floats]; Tidx: type = int32 in [int32, int64]; Tsegmentids: type = int32 in [int32, int64]",
       .doc = "The gradient of SparseSegmentSqrtN with respect to data of output_dim0 rows.",
       .gpu = "T in [floats]; Tidx in [int32, int64]; Tsegmentids in [int32, int64]",
       .shape_fn = GivenSegmentShapes,
       .accuracy = Composed(1),
       .samples = SparseSegmentGradSamples()},
  };
  return rows;
}

}  // namespace plumb::topics
