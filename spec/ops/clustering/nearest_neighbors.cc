#include <algorithm>

#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// TensorFlow's own rule says nothing.
Shapes NearestShapes(const ShapeContext& c) {
  const auto rows = [&](int i) { return c.input(i).rank() == 2 ? c.input(i).dim(0) : -1; };
  const Tensor* const limit = c.constant(2);
  int64_t k = limit != nullptr && limit->elements() == 1 ? limit->data<int64_t>()[0] : -1;
  k = k < 0 || rows(1) < 0 ? -1 : std::min(k, rows(1));
  const PartialShape nearest = {rows(0), k};
  return {nearest, nearest};
}

}  // namespace

std::span<const OpRow> ClusteringNearestNeighbors() {
  static const OpRow rows[] = {
      {.signature = "NearestNeighbors(points: float32, centers: float32, k: int64) -> (nearest_center_indices: int64, "
                    "nearest_center_distances: float32)",
       .doc =
           "The k nearest centers of each point, the nearest first, and their squared distances. A distance that is no "
           "number is the largest; but of one center alone the first is taken, until another is nearer.",
       .shape_fn = NearestShapes,
       .cost = 16,
       .accuracy = Composed(1),
       .samples = {"[N 3] finite [m 3] finite 2", "[N d] finite [4 d] finite 1", "[5 2] finite [3 2] finite 9",
                   "[N 2] [m 2] 0"}},
  };
  return rows;
}

}  // namespace plumb::topics
