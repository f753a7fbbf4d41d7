#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

Shapes CsrCholeskyShapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  WithRankAtMost(c, 1, 2);
  WithRankAtLeast(c, 1, 1);
  return {PartialShape(Shape())};
}

}  // namespace

std::span<const OpRow> SparseCsrCholesky() {
  static const OpRow rows[] = {
      {.signature = "SparseMatrixSparseCholesky(input: variant, permutation: int32) -> (output: variant)",
       .attrs = "type: type in [float32, float64, complexes]",
       .doc = "L with L·Lᴴ = input for each matrix, Hermitian and positive definite, of which the lower triangle is "
              "read. Row i of L is row i of a triangle whose rows and columns the permutation has exchanged: the rows "
              "permutation[0], permutation[1], … make it one, so that a good permutation leaves many elements out. "
              "INVALID_ARGUMENT for a matrix that is not positive definite.",
       .shape_fn = CsrCholeskyShapes,
       .accuracy = Composed(1),
       .samples = {"m = SparseTensorToCSRSparseMatrix T=$type: {{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 2}} "
                   "{4, 1, 5, 2, 6} {3, 3}; m {2, 0, 1}; s = CSRSparseMatrixToSparseTensor type=$type: this",
                   "m = SparseTensorToCSRSparseMatrix T=$type: {{0, 0, 0}, {0, 1, 1}, {1, 0, 0}, {1, 0, 1}, {1, 1, 0}, "
                   "{1, 1, 1}} {2, 3, 4, 7, 1, 5} {2, 2, 2}; m {{0, 1}, {1, 0}}; "
                   "s = CSRSparseMatrixToSparseTensor type=$type: this",
                   "m = SparseTensorToCSRSparseMatrix T=$type: {{0, 0}, {1, 0}, {1, 1}} {1, 2, 1} {2, 2}; m {0, 1}"}},
  };
  return rows;
}

}  // namespace plumb::topics
