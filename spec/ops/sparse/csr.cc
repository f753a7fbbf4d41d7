#include "spec/ops/gradient_helpers.h"
#include "spec/ops/op_def.h"
#include "spec/ops/sparse/sparse_shapes.h"

namespace plumb::topics {
namespace {

Shapes ToCsrShapes(const ShapeContext& c) {
  const int64_t rank = SparseRank(c, 0, 1, 2);
  Require(rank == -1 || rank == 2 || rank == 3, c.op().name, ": a matrix or a batch of matrices is needed, not ", rank,
          " dimensions");
  return {PartialShape(Shape())};
}

Values ToCsrGradient(Gradient& g) {
  const NodeId parts = g.Add("CSRSparseMatrixToSparseTensor", {g.dy()}, {{"type", g.dtype(g.x(1))}});
  return {GradientValue::None(), Endpoint{parts, 1}, GradientValue::None()};
}

Values FromCsrGradient(Gradient& g) { return {g.Call("SparseTensorToCSRSparseMatrix", {g.y(0), g.dy(1), g.y(2)})}; }

constexpr char kInPrograms[] = "variants have no derivatives of their own";

}  // namespace

std::span<const OpRow> SparseCsr() {
  static const OpRow rows[] = {
      {.signature = "SparseTensorToCSRSparseMatrix(indices: int64, values: T, dense_shape: int64) -> (sparse_matrix: "
                    "variant)",
       .attrs = "T: type in [float32, float64, complexes]",
       .doc =
           "A sparse matrix, or a batch of them, by rows: where each row begins, and the columns and values in their "
           "order. The indices must be sorted. INVALID_ARGUMENT for those outside of the shape.",
       .gpu = "all",
       .shape_fn = ToCsrShapes,
       .gradient = ToCsrGradient,
       .gradient_trial = {.untried = kInPrograms},
       .samples = {"{{0, 1}, {0, 3}, {2, 0}} [3] {4, 5}; s = CSRSparseMatrixToSparseTensor type=$T: this",
                   "{{1, 0, 2}, {1, 1, 0}, {3, 1, 1}} [3] {4, 2, 3}; s = CSRSparseMatrixToSparseTensor type=$T: this",
                   "[0 2] [0] {3, 2}; s = CSRSparseMatrixToSparseTensor type=$T: this"}},
      {.signature = "CSRSparseMatrixToSparseTensor(sparse_matrix: variant) -> (indices: int64, values: type, "
                    "dense_shape: int64)",
       .attrs = "type: type in [float32, float64, complexes]",
       .doc = "The matrix, or the batch of them, by coordinates.",
       .gpu = "all",
       .shape = "[] -> [? ?] [?] [?]",
       .gradient = FromCsrGradient,
       .gradient_trial = {.untried = kInPrograms},
       .samples = {"m = SparseTensorToCSRSparseMatrix T=$type: {{0, 1}, {0, 3}, {2, 0}} [3] {4, 5}; m",
                   "m = SparseTensorToCSRSparseMatrix T=$type: {{1, 0, 2}, {1, 1, 0}, {3, 1, 1}} [3] {4, 2, 3}; m"}},
  };
  return rows;
}

}  // namespace plumb::topics
