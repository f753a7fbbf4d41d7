#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes ScalarShape(const ShapeContext& c) {
  (void)c;
  return {PartialShape(Shape())};
}

// TensorFlow's own rule says nothing.
Shapes SampledPoints(const ShapeContext& c) {
  const PartialShape& points = c.input(0);
  const Tensor* const count = c.constant(1);
  const int64_t columns = points.rank() == 2 ? points.dim(1) : -1;
  const bool known = count != nullptr && count->elements() == 1 && count->data<int64_t>()[0] >= 0;
  return {PartialShape{known ? count->data<int64_t>()[0] : -1, columns}};
}

}  // namespace

std::span<const OpRow> ClusteringSeeding() {
  static const OpRow rows[] = {
      {.signature = "KMC2ChainInitialization(distances: float32, seed: int64) -> (index: int64)",
       .doc = "The end of a Markov chain over the candidates, in which each is taken with the probability distance / "
              "distance of the one before it.",
       .shape_fn = ScalarShape,
       .samples = {"[N] in 0..9 [] in 0..99", "[9] 0", "{3} [] in 0..99", "[300] in 0..1 7"}},
      {.signature = "KmeansPlusPlusInitialization(points: float32, num_to_sample: int64, seed: int64, "
                    "num_retries_per_sample: int64) -> (samples: float32)",
       .doc = "Rows of points, each drawn with a probability proportional to its squared distance from those drawn "
              "before; of 1 + num_retries_per_sample tries (2 + log num_to_sample if negative) the one that leaves the "
              "least sum of squared distances.",
       .shape_fn = SampledPoints,
       .samples = {"[9 k] finite 3 [] in 0..99 -1", "[N 2] finite 1 5 0", "[20 3] finite 20 [] in 0..99 2",
                   "[6 0] 2 3 1"}},
  };
  return rows;
}

}  // namespace plumb::topics
