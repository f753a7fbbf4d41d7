#include "spec/ops/linalg/matrices.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes FunctionShapes(const ShapeContext& c) { return SquareMatrices(c); }

// A·B for each pair of matrices, as (a rows × b rows) by (a columns × b columns).
Endpoint KroneckerProduct(Gradient& g, Endpoint a, Endpoint b, Endpoint shape) {
  const auto with = [&](Endpoint x, std::initializer_list<int> axes) {
    for (const int axis : axes) x = g.Call("ExpandDims", {x, g.Scalar(axis, DType::kInt32)});
    return x;
  };
  // [… i 1 j 1] · [… 1 k 1 l]
  const Endpoint product = g.Call("Mul", {with(a, {-1, -3}), with(b, {-2, -4})});
  return g.Call("Reshape", {product, shape});
}

// Of R with R·R = A: Rᴴ·dA + dA·Rᴴ = dR, as equations for the elements of dA in rows: (Rᴴ⊗I + I⊗R̄)·vec(dA) = vec(dR).
Values SquareRootGradient(Gradient& g) {
  const Endpoint r = g.y(), shape = g.ShapeOf(r), batch = Part(g, shape, 0, -2);
  const Endpoint size = Part(g, shape, -1, 0);
  const Endpoint square = g.Call("Mul", {size, size}), one = g.Int32s({1});
  const Endpoint adjoint = MatrixAdjoint(g, r), conjugate = g.Conjugate(r);
  const Endpoint unit = g.Call("MatrixDiag", {g.Call("OnesLike", {g.Call("Sum", {r, g.Int32s({-1})})})});
  const Endpoint square_shape = Concat(g, {batch, square, square});
  const Endpoint system = g.Call(
      "AddV2", {KroneckerProduct(g, adjoint, unit, square_shape), KroneckerProduct(g, unit, conjugate, square_shape)});
  const Endpoint side = g.Call("Reshape", {g.dy(), Concat(g, {batch, square, one})});
  return {g.Call("Reshape", {g.Call("MatrixSolve", {system, side}), shape})};
}

}  // namespace

std::span<const OpRow> LinalgFunctions() {
  static const OpRow rows[] = {
      {.signature = "MatrixLogarithm(input: T) -> (output: T) may_be_singular",
       .attrs = "T: type in [complexes]",
       .doc = "The principal logarithm of each square matrix.",
       .shape_fn = FunctionShapes,
       .cost = 512,
       .accuracy = Composed(1),
       .samples = {"[2 1 1] positive", "a = Identity T=$T: [2 2 2] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; m",
                   "a = Identity T=$T: [3 4] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; m", "[0 0]", "[b 0 0]",
                   "[600 1 1] positive", "{{4, 1}, {2, 9}}",
                   "{{{4, 1, 0}, {2, 9, 1}, {1, 0, 6}}, {{5, 3, 0}, {0, 2, -1}, {0, 1, 2}}}"}},
      {.signature = "MatrixSquareRoot(input: T) -> (output: T) may_be_singular",
       .attrs = "T: type in [float64, float32, float16, complexes]",
       .doc = "The principal square root of each square matrix, whose product with itself is the matrix.",
       .cpu = "T in [float64, float32, complexes]",
       .shape_fn = FunctionShapes,
       .cost = 512,
       .accuracy = Composed(1),
       .gradient = SquareRootGradient,
       .samples = {"[2 1 1] positive", "a = Identity T=$T: [2 2 2] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; m",
                   "a = Identity T=$T: [2 3 4] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; m",
                   "a = Identity T=$T: [5 7] finite; m = BatchMatMulV2 T=$T adj_y=true: a a; m", "[0 0]", "[b 0 0]",
                   "[600 1 1] positive", "{{4, 1}, {2, 9}}",
                   "{{{4, 1, 0}, {2, 9, 1}, {1, 0, 6}}, {{5, 3, 0}, {0, 2, -1}, {0, 1, 2}}}"}},
  };
  return rows;
}

}  // namespace plumb::topics
