#include <algorithm>

#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"
#include "spec/ops/sparse/sparse_shapes.h"

namespace plumb::topics {
namespace {

Shapes EditDistanceShapes(const ShapeContext& c) {
  SparseRank(c, 0, 1, 2);
  SparseRank(c, 3, 4, 5);
  const auto hypothesis = ConstantInts(c, 2), truth = ConstantInts(c, 5);
  if (!hypothesis || !truth) return {PartialShape::Unknown()};
  Require(hypothesis->size() == truth->size(), c.op().name, ": hypothesis and truth must have the same rank, not ",
          hypothesis->size(), " and ", truth->size());
  std::vector<int64_t> dims;
  for (size_t axis = 0; axis + 1 < truth->size(); ++axis) {
    dims.push_back(std::max<int64_t>(0, std::max((*hypothesis)[axis], (*truth)[axis])));
  }
  return {PartialShape(std::move(dims))};
}

}  // namespace

std::span<const OpRow> SparseEditDistance() {
  static const OpRow rows[] = {
      {.signature = "EditDistance(hypothesis_indices: int64, hypothesis_values: T, hypothesis_shape: int64, "
                    "truth_indices: int64, truth_values: T, truth_shape: int64) -> (output: float32)",
       .attrs = "normalize: bool = true; T: type",
       .doc = "How many elements must be put in, taken out or replaced to make each row of the hypothesis that of the "
              "truth, divided by the length of the latter if normalize: infinite where that is zero, and zero where "
              "both rows are. The elements are in row-major order.",
       .cpu = "T in [numbers, bool, string]",
       .shape_fn = EditDistanceShapes,
       .strictness = Strictness::kStricterThanKernel,
       .cost = 20,
       .gradient = BlocksGradient(),
       .samples = {"normalize=true/false: [9 2] sorted in 0..5 [9] in 0..3 {5, 6} [8 2] sorted in 0..5 [8] in 0..3 {6, "
                   "5}",
                   "normalize=true/false: [7 3] sorted in 0..3 [7] in 0..2 {3, 3, 3} [6 3] sorted in 0..3 [6] in 0..2 "
                   "{3, 3, 4}",
                   "[0 2] in 0..1 [0] in 0..1 {2, 3} [2 2] sorted in 0..2 [2] in 0..2 {2, 2}"}},
  };
  return rows;
}

}  // namespace plumb::topics
