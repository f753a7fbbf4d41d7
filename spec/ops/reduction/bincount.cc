#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes BincountShapes(const ShapeContext& c) {
  RequireScalar(c, 1);
  return {PartialShape{ConstantSize(c, 1)}};
}

Shapes DenseBincountShapes(const ShapeContext& c) {
  const PartialShape& input = WithRankAtMost(c, 0, 2);
  RequireScalar(c, 1);
  const int64_t size = ConstantSize(c, 1);
  if (!input.has_rank()) return {PartialShape::Unknown()};
  return {input.rank() < 2 ? PartialShape{size} : PartialShape{input.dim(0), size}};
}

}  // namespace

std::span<const OpRow> ReductionBincount() {
  static const OpRow rows[] = {
      {.signature = "Bincount(arr: int32, size: int32, weights: T) -> (bins: T)",
       .attrs = "T: type in [int32, int64, float32, float64]",
       .doc =
           "For each of 0 … size − 1 how often arr holds it, or the sum of the weights that stand there, if there are "
           "any. Larger numbers are left out; negative ones are an error.",
       .gpu = "T in [int32, float32]",
       .shape_fn = BincountShapes,
       .accuracy = Summation(),
       .samples = {"[n] in 0..9 7 [0]", "[a b] in 0..5 5 [a b]", "[n] in 0..3 0 [0]", "[n] in 0..90 90 [n]"}},
      {.signature = "DenseBincount(input: Tidx, size: Tidx, weights: T) -> (output: T)",
       .attrs = "Tidx: type in [int32, int64]; T: type in [int32, int64, float32, float64]; binary_output: bool = "
                "false",
       .doc = "Bincount of a vector, or of each row of a matrix. With binary_output one for each number that is there "
              "at all.",
       .gpu = "T in [int32, float32]; Tidx in [int32, int64]",
       .shape_fn = DenseBincountShapes,
       .accuracy = Summation(),
       .samples = {"binary_output=false/true: [n] in 0..9 7 [0]", "binary_output=false/true: [a n] in 0..5 5 [a n]",
                   "[a n] in 0..9 7 [0]", "binary_output=true: [n] in 0..3 3 [n]"}},
  };
  return rows;
}

}  // namespace plumb::topics
