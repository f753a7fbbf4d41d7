#include "spec/ops/op_def.h"
#include "spec/ops/shape_helpers.h"

namespace plumb::topics {
namespace {

// A vector, or one for each matrix of a batch: which of both the handle does not say.
Shapes OrderingShapes(const ShapeContext& c) {
  RequireScalar(c, 0);
  return {PartialShape()};
}

}  // namespace

std::span<const OpRow> SparseCsrOrdering() {
  static const OpRow rows[] = {
      {.signature = "SparseMatrixOrderingAMD(input: variant) -> (output: int32<any_permutation>)",
       .doc = "An order in which to eliminate the rows of each matrix, symmetric, of which the lower triangle is read, "
              "so that its Cholesky factor has few elements more than itself: by approximate minimum degree. Element "
              "k is the row that comes k-th, as SparseMatrixSparseCholesky takes it. It depends on the places of the "
              "elements alone; any permutation is a correct answer, a good one saves work.",
       .shape_fn = OrderingShapes,
       .samples = {"m = SparseTensorToCSRSparseMatrix T=float32: {{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 2}, {3, 0}, "
                   "{3, 3}} [7] {4, 4}; m",
                   "m = SparseTensorToCSRSparseMatrix T=complex128: {{0, 0}, {0, 2}, {2, 1}} [3] {3, 3}; m",
                   "m = SparseTensorToCSRSparseMatrix T=float64: {{0, 1, 0}, {2, 0, 0}, {2, 2, 1}} [3] {3, 3, 3}; m",
                   "m = SparseTensorToCSRSparseMatrix T=float32: [0 2] [0] {1, 1}; m",
                   "m = SparseTensorToCSRSparseMatrix T=float32: [0 2] [0] {0, 0}; m"}},
  };
  return rows;
}

}  // namespace plumb::topics
