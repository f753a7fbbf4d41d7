#include "spec/ops/linalg/matrices.h"
#include "spec/ops/op_def.h"
#include "spec/ops/shapes_of_the_run.h"

namespace plumb::topics {
namespace {

// Batch dimensions broadcast.
Shapes TriangularSystems(const ShapeContext& c) {
  const PartialShape left = MatrixBatch(c, 0), right = MatrixBatch(c, 1);
  const int64_t size = MergeDims(c, MatrixDim(c, 0, 0), MatrixDim(c, 0, 1));
  const PartialShape system{MergeDims(c, size, MatrixDim(c, 1, 0)), MatrixDim(c, 1, 1)};
  return {Join(Broadcast(c, left, right), system)};
}

Values MatrixTriangularSolveGradient(Gradient& g) {
  const bool lower = g.attr<bool>("lower"), adjoint = g.attr<bool>("adjoint");
  const Endpoint db = g.Call("MatrixTriangularSolve", {g.x(0), g.dy()}, {{"lower", lower}, {"adjoint", !adjoint}});
  const Endpoint da = TriangleOf(g, SystemGradient(g, adjoint, g.y(), db), lower, 1);
  const PartialShape &a_static = g.shape(g.x(0)), &b_static = g.shape(g.x(1));
  if (a_static.rank() == 2 && b_static.rank() == 2) return {da, db};
  const Endpoint a_shape = g.ShapeOf(g.x(0)), b_shape = g.ShapeOf(g.x(1));
  const NodeId axes = g.Add("BroadcastGradientArgs", {Part(g, a_shape, 0, -2), Part(g, b_shape, 0, -2)});
  return {g.Call("Reshape", {g.Call("Sum", {da, {axes, 0}}), a_shape}),
          g.Call("Reshape", {g.Call("Sum", {db, {axes, 1}}), b_shape})};
}

}  // namespace

std::span<const OpRow> LinalgTriangular() {
  static const OpRow rows[] = {
      {.signature = "MatrixTriangularSolve(matrix: T, rhs: T) -> (output: T) may_be_singular",
       .attrs = "lower: bool = true; adjoint: bool = false; T: type in [floats, complexes]",
       .doc = "X with L·X = rhs, where L is the lower or upper triangle of each square matrix, or its adjoint; the "
              "rest is not read. Batch dimensions broadcast. INVALID_ARGUMENT where the diagonal has a zero.",
       .cpu = "T in [float64, float32, complexes]",
       .gpu = "T in [float32, float64, complexes]",
       .shape_fn = TriangularSystems,
       .cost = 32,
       .accuracy = Composed(1),
       .gradient = MatrixTriangularSolveGradient,
       .samples = {"[b... 2 2] finite [b... 2 k] finite", "lower=false: [a 1 3 3] finite [b 3 k] finite",
                   "adjoint=true: [3 3] finite [a b 3 k] finite",
                   "lower=false adjoint=true: [b 4 4] finite [4 k] finite",
                   "lower=true/false adjoint=true/false: [17 17] finite [17 k] finite", "[0 0] [0 k]"}},
      {.signature = "BatchMatrixTriangularSolve(matrix: T, rhs: T) -> (output: T) may_be_singular",
       .attrs = "lower: bool = true; adjoint: bool = false; T: type in [float64, float32]",
       .doc = "An older name of MatrixTriangularSolve; its shape is not known before the run.",
       .gpu = "all",
       .shape_fn = ShapesOfTheRun,
       .cost = 32,
       .accuracy = Composed(1),
       .samples = {"[b... 2 2] finite [b... 2 k] finite", "lower=false: [a 1 3 3] finite [b 3 k] finite",
                   "adjoint=true: [3 3] finite [a b 3 k] finite",
                   "lower=false adjoint=true: [b 4 4] finite [4 k] finite",
                   "lower=true/false adjoint=true/false: [17 17] finite [17 k] finite", "[0 0] [0 k]"},
       .deprecated = {13, "Use MatrixTriangularSolve instead."}},
  };
  return rows;
}

}  // namespace plumb::topics
