#include "spec/ops/linalg/matrices.h"
#include "spec/ops/linalg/spectra.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shapes_of_the_run.h"

namespace plumb::topics {
namespace {

Shapes SelfAdjointShapes(const ShapeContext& c) {
  const PartialShape batch = MatrixBatch(c, 0);
  const int64_t size = MergeDims(c, MatrixDim(c, 0, 0), MatrixDim(c, 0, 1));
  const PartialShape vectors = c.attr<bool>("compute_v") ? Join(batch, PartialShape{size, size}) : PartialShape{0};
  return {Join(batch, PartialShape{size}), vectors};
}

// A row of values above the vectors.
Shapes ValuesAboveVectors(const ShapeContext& c) {
  const PartialShape batch = MatrixBatch(c, 0);
  const int64_t size = MergeDims(c, MatrixDim(c, 0, 0), MatrixDim(c, 0, 1));
  return {Join(batch, PartialShape{size < 0 ? -1 : size + 1, size})};
}

// V·(diag(de) + F∘(Vᴴ·dV))·Vᴴ with Fᵢⱼ = 1/(eⱼ − eᵢ), gathered in the triangle that the op reads.
Values SelfAdjointEigGradient(Gradient& g) {
  const bool has_vectors = g.attr<bool>("compute_v");
  Endpoint v = g.y(1), middle = DiagonalMatrix(g, g.dy(0));
  if (has_vectors) {
    const Endpoint projected = MatrixProduct(g, v, g.dy(1), true, false);
    middle = g.Call("AddV2", {middle, g.Call("Mul", {InverseDifferences(g, g.y(0)), projected})});
  } else {
    v = {g.Add("SelfAdjointEigV2", {g.x()}), 1};
  }
  const Endpoint da = MatrixProduct(g, v, MatrixProduct(g, middle, v, false, true));
  return {TriangleOf(g, g.Call("AddV2", {da, MatrixAdjoint(g, da)}), true, 0.5)};
}

}  // namespace

std::span<const OpRow> LinalgEigen() {
  static const OpRow rows[] = {
      {.signature = "SelfAdjointEigV2(input: T) -> (e: T, v: T<columns_up_to_phase>) may_be_singular",
       .attrs = "compute_v: bool = true; T: type in [float64, float32, float16, complexes]",
       .doc = "The eigenvalues of each Hermitian matrix in ascending order, and unit eigenvectors as the columns of v; "
              "the upper triangle is not read. Without compute_v, v has the shape [0]. INVALID_ARGUMENT for a matrix "
              "of two rows or more whose lower triangle is not finite.",
       .cpu = "T in [float64, float32, complexes]",
       .gpu = "T in [float32, float64, complexes]",
       .shape_fn = SelfAdjointShapes,
       .cost = 256,
       .accuracy = Composed(1),
       .gradient = SelfAdjointEigGradient,
       .samples = {"[b... 1 1] finite", "[b... 2 2] finite", "compute_v=false: [b 3 3] finite", "[b 4 4] finite",
                   "compute_v=false: [17 17] finite", "[12 12] finite", "[33 33] finite", "[0 0]",
                   "compute_v=false: [b 0 0]"}},
      {.signature = "BatchSelfAdjointEigV2(input: T) -> (e: T, v: T<columns_up_to_phase>) may_be_singular",
       .attrs = "compute_v: bool = true; T: type in [float64, float32]",
       .doc = "An older name of SelfAdjointEigV2; its shape is not known before the run.",
       .shape_fn = ShapesOfTheRun,
       .cost = 256,
       .accuracy = Composed(1),
       .samples = {"[b... 1 1] finite", "[b... 2 2] finite", "compute_v=false: [b 3 3] finite", "[b 4 4] finite",
                   "compute_v=false: [17 17] finite", "[12 12] finite", "[0 0]", "compute_v=false: [b 0 0]"},
       .deprecated = {13, "Use SelfAdjointEigV2 instead."}},
      {.signature = "SelfAdjointEig(input: T) -> (output: T<columns_below_values_up_to_phase>) may_be_singular",
       .attrs = "T: type in [float64, float32, float16]",
       .doc = "SelfAdjointEigV2 with the eigenvalues as a row above the vectors.",
       .cpu = "T in [float64, float32]",
       .shape_fn = ValuesAboveVectors,
       .cost = 256,
       .accuracy = Composed(1),
       .samples = {"[b... 1 1] finite", "[b... 2 2] finite", "[b 4 4] finite", "[12 12] finite", "[0 0]", "[b 0 0]"},
       .deprecated = {11, "Use SelfAdjointEigV2 instead."}},
      {.signature = "BatchSelfAdjointEig(input: T) -> (output: T<columns_below_values_up_to_phase>) may_be_singular",
       .attrs = "T: type in [float64, float32]",
       .doc = "Another name of SelfAdjointEig; its shape is not known before the run.",
       .shape_fn = ShapesOfTheRun,
       .cost = 256,
       .accuracy = Composed(1),
       .samples = {"[b... 1 1] finite", "[b... 2 2] finite", "[b 4 4] finite", "[12 12] finite", "[0 0]", "[b 0 0]"},
       .deprecated = {11, "Use SelfAdjointEigV2 instead."}},
  };
  return rows;
}

}  // namespace plumb::topics
