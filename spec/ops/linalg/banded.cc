#include "spec/ops/linalg/matrices.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

// The bands are rows of length n, of which there is one at least and n at most.
Shapes BandedSystems(const ShapeContext& c) {
  const PartialShape left = MatrixBatch(c, 0), right = MatrixBatch(c, 1);
  const int64_t bands = MatrixDim(c, 0, 0), size = MatrixDim(c, 0, 1);
  Require(bands != 0, "BandedTriangularSolve: a matrix must have one band at least");
  Require(bands < 0 || size < 0 || bands <= size, "BandedTriangularSolve: a matrix of ", size,
          " rows cannot have the number of bands ", bands);
  const PartialShape system{MergeDims(c, size, MatrixDim(c, 1, 0)), MatrixDim(c, 1, 1)};
  return {Join(Broadcast(c, left, right), system)};
}

// That of the triangle, of which the bands are kept: below the diagonal each ends with its row, above it begins so.
Values BandedGradient(Gradient& g) {
  const bool lower = g.attr<bool>("lower"), adjoint = g.attr<bool>("adjoint");
  const Endpoint db = g.Call("BandedTriangularSolve", {g.x(0), g.dy()}, {{"lower", lower}, {"adjoint", !adjoint}});
  const Endpoint a_shape = g.ShapeOf(g.x(0)), b_shape = g.ShapeOf(g.x(1));
  const Endpoint zero = g.Int32s({0});
  const Endpoint others = g.Call("Sub", {Part(g, a_shape, -2, -1), g.Int32s({1})});
  const Endpoint range = lower ? Concat(g, {g.Call("Neg", {others}), zero}) : Concat(g, {zero, others});
  const Endpoint da =
      g.Call("MatrixDiagPartV3", {SystemGradient(g, adjoint, g.y(), db), range, g.Scalar(0, g.dtype(g.dy()))},
             {{"align", std::string("LEFT_RIGHT")}});
  const NodeId axes = g.Add("BroadcastGradientArgs", {Part(g, a_shape, 0, -2), Part(g, b_shape, 0, -2)});
  return {g.Call("Reshape", {g.Call("Sum", {da, {axes, 0}}), a_shape}),
          g.Call("Reshape", {g.Call("Sum", {db, {axes, 1}}), b_shape})};
}

}  // namespace

std::span<const OpRow> LinalgBanded() {
  static const OpRow rows[] = {
      {.signature = "BandedTriangularSolve(matrix: T, rhs: T) -> (output: T) may_be_singular",
       .attrs = "lower: bool = true; adjoint: bool = false; T: type in [float64, float32, float16, complexes]",
       .doc = "X with L·X = rhs, where L is a triangular matrix, or its adjoint, given by its bands: row k of matrix "
              "holds L[i, i-k] at i where L is lower, and L[i, i+b-1-k] of b bands where it is upper. What is no "
              "element of L is not read. Batch dimensions broadcast.",
       .cpu = "T in [float64, float32, complexes]",
       .shape_fn = BandedSystems,
       .cost = 8,
       .accuracy = Composed(1),
       .gradient = BandedGradient,
       .samples = {"[B 2 3] positive [B 3 K] finite", "lower=false: [A 1 1 3] positive [B 3 K] finite",
                   "adjoint=true: [3 3] positive [A B 3 K] finite",
                   "lower=false adjoint=true: [B 2 4] positive [4 K] finite",
                   "lower=true/false adjoint=true/false: [3 17] positive [17 K] finite"}},
  };
  return rows;
}

}  // namespace plumb::topics
