#include "spec/ops/linalg/matrices.h"
#include "spec/ops/op_def.h"

namespace plumb::topics {
namespace {

Shapes TridiagonalSolveShapes(const ShapeContext& c) {
  MergeShapes(c, MatrixBatch(c, 0), MatrixBatch(c, 1));
  MergeDims(c, MatrixDim(c, 0, 0), 3);
  MergeDims(c, MatrixDim(c, 0, 1), MatrixDim(c, 1, 0));
  return {c.input(1)};
}

Shapes TridiagonalMatMulShapes(const ShapeContext& c) {
  PartialShape batch = MatrixBatch(c, 3);
  int64_t length = MatrixDim(c, 3, 0);
  for (int i = 0; i < 3; ++i) {
    batch = MergeShapes(c, batch, MatrixBatch(c, i));
    MergeDims(c, MatrixDim(c, i, 0), 1);
    length = MergeDims(c, length, MatrixDim(c, i, 1));
  }
  return {c.input(3)};
}

// ---- Gradients: rows moved by one, zeros where none was ------------------------------------------------------------

// Positions [begin, end) of the last axis but `behind`; end 0 means to the end.
Endpoint Slice(Gradient& g, Endpoint x, int behind, int begin, int end) {
  std::vector<int32_t> from = {0, begin}, to = {0, end}, by = {1, 1};
  int64_t open = end == 0 ? 2 : 0;
  if (behind == 1) {
    from.push_back(0);
    to.push_back(0);
    by.push_back(1);
    open |= 4;
  }
  return g.Call("StridedSlice", {x, g.Int32s(from), g.Int32s(to), g.Int32s(by)},
                {{"ellipsis_mask", 1}, {"begin_mask", behind == 1 ? 4 : 0}, {"end_mask", open}});
}

// Element i becomes what element i + 1 was, or i - 1, along the last axis but `behind`.
Endpoint Shifted(Gradient& g, Endpoint x, int behind, bool forwards) {
  const Endpoint kept = forwards ? Slice(g, x, behind, 1, 0) : Slice(g, x, behind, 0, -1);
  const Endpoint zeros = g.ZerosLike(Slice(g, x, behind, 0, 1));
  const Endpoint axis = g.Scalar(-1 - behind, DType::kInt32);
  return g.Call("ConcatV2",
                forwards ? std::vector<Endpoint>{kept, zeros, axis} : std::vector<Endpoint>{zeros, kept, axis},
                {{"N", 2}});
}

// Σ a·b over the last axis, as a row.
Endpoint RowOfSums(Gradient& g, Endpoint a, Endpoint b) {
  const Endpoint sums = g.Call("Sum", {g.Call("Mul", {a, b}), g.Int32s({-1})});
  return g.Call("ExpandDims", {sums, g.Scalar(-2, DType::kInt32)});
}

// The gradient of the three diagonals where `dy` is that of their product with x.
std::vector<Endpoint> DiagonalGradients(Gradient& g, Endpoint dy, Endpoint x) {
  const Endpoint conjugate = g.Conjugate(x);
  return {RowOfSums(g, dy, Shifted(g, conjugate, 1, true)), RowOfSums(g, dy, conjugate),
          RowOfSums(g, dy, Shifted(g, conjugate, 1, false))};
}

// The adjoint's superdiagonal is the conjugate subdiagonal, moved by one.
Values TridiagonalMatMulGradient(Gradient& g) {
  const std::vector<Endpoint> d = DiagonalGradients(g, g.dy(), g.x(3));
  const Endpoint above = Shifted(g, g.Conjugate(g.x(2)), 0, true), below = Shifted(g, g.Conjugate(g.x(0)), 0, false);
  return {d[0], d[1], d[2], g.Call("TridiagonalMatMul", {above, g.Conjugate(g.x(1)), below, g.dy()})};
}

Values TridiagonalSolveGradient(Gradient& g) {
  const Endpoint diagonals = g.Conjugate(g.x(0));
  const auto join = [&](std::vector<Endpoint> rows) {
    rows.push_back(g.Scalar(-2, DType::kInt32));
    return g.Call("ConcatV2", rows, {{"N", 3}});
  };
  const Endpoint above = Shifted(g, Slice(g, diagonals, 1, 2, 3), 0, true);
  const Endpoint below = Shifted(g, Slice(g, diagonals, 1, 0, 1), 0, false);
  const Endpoint adjoint = join({above, Slice(g, diagonals, 1, 1, 2), below});
  const Endpoint db =
      g.Call("TridiagonalSolve", {adjoint, g.dy()}, SameAttrs(g, {"partial_pivoting", "perturb_singular"}));
  return {Negative(g, join(DiagonalGradients(g, db, g.y()))), db};
}

}  // namespace

std::span<const OpRow> LinalgTridiagonal() {
  static const OpRow rows[] = {
      {.signature = "TridiagonalMatMul(superdiag: T, maindiag: T, subdiag: T, rhs: T) -> (output: T)",
       .attrs = "T: type in [float64, float32, complexes]",
       .doc = "The product of a tridiagonal matrix and rhs. Diagonals are rows; the last element of the superdiagonal "
              "and the first of the subdiagonal are not read.",
       .gpu = "T in [float32, float64, complexes]",
       .shape_fn = TridiagonalMatMulShapes,
       .cost = 3,
       .accuracy = Summation(),
       .gradient = TridiagonalMatMulGradient,
       .samples = {"[b... 1 n] [b... 1 n] [b... 1 n] [b... n k]"}},
      {.signature = "TridiagonalSolve(diagonals: T, rhs: T) -> (output: T) may_be_singular",
       .attrs = "partial_pivoting: bool = true; perturb_singular: bool = false; T: type in [float64, float32, "
                "complexes]",
       .doc = "X with A·X = rhs for the tridiagonal matrix A whose superdiagonal, diagonal and subdiagonal are the "
              "rows of `diagonals`, padded at the end and at the beginning; NaN for a system whose elimination "
              "meets a zero. Without pivoting rows are not exchanged.",
       .gpu = "T in [float32, float64, complexes]",
       .shape_fn = TridiagonalSolveShapes,
       .cost = 8,
       .accuracy = Composed(1),
       .gradient = TridiagonalSolveGradient,
       .samples = {"[b... 3 1] positive [b... 1 k] finite", "[b... 3 2] finite [b... 2 k] finite",
                   "[b 3 5] finite [b 5 k] finite", "partial_pivoting=false: [b 3 4] positive [b 4 k] finite",
                   "perturb_singular=true: [b 3 4] positive [b 4 k] finite", "[3 30] finite [30 k] finite",
                   "perturb_singular=true: {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}} [3 k] finite",
                   "perturb_singular=true: {{1, -2, 1, 0}, {0, 0, 1, 0}, {0, 1, 0, 2}} [4 k] finite",
                   "perturb_singular=true: {{1e-40, 0, 0}, {1e-40, 1e-39, 0}, {0, 0, 1e-40}} [3 k] finite",
                   "[b... 3 0] [b... 0 k]"}},
  };
  return rows;
}

}  // namespace plumb::topics
