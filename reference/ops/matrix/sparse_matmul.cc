#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// The elements of both types are float32 numbers, and so is the product. A side that is called sparse, the first of
// them, is gone through by the elements that are not zero: its zeros meet nothing, not even NaN (sparse_matmul_op.cc).
void SparseMatMul(OpContext &c) {
  for (int i = 0; i < 2; ++i) {
    Require(c.tensor(i).rank() == 2, "input ", i, " is not a matrix: ", c.tensor(i).shape().ToString());
  }
  const bool ta = c.attr<bool>("transpose_a"), tb = c.attr<bool>("transpose_b");
  const Shape &a_shape = c.tensor(0).shape(), &b_shape = c.tensor(1).shape();
  const int64_t m = a_shape.dim(ta ? 1 : 0), inner = a_shape.dim(ta ? 0 : 1), n = b_shape.dim(tb ? 0 : 1);
  Require(inner == b_shape.dim(tb ? 1 : 0), "matrix size-incompatible: ", a_shape.ToString(), " and ",
          b_shape.ToString());
  SumProductsOf(DType::kFloat);
  const auto a = Load<Real>(c.input(0)), b = Load<Real>(c.input(1));
  auto product = MakeArray<Real>(DType::kFloat, Shape({m, n}));
  const bool a_is_sparse = c.attr<bool>("a_is_sparse"), b_is_sparse = !a_is_sparse && c.attr<bool>("b_is_sparse");
  for (int64_t i = 0; i < m * n; ++i) {
    const int64_t row = i / n, column = i % n;
    Sum sum;
    for (int64_t k = 0; k < inner; ++k) {
      const Real &left = a[ta ? k * m + row : row * inner + k], &right = b[tb ? column * inner + k : k * n + column];
      const bool is_skipped = (a_is_sparse && left == 0) || (b_is_sparse && right == 0);
      if (!is_skipped) sum.AddProduct(left, right);
    }
    product[i] = sum.Result();
  }
  c.Output(0, Store(product));
}

constexpr KernelRow kRows[] = {
    {"SparseMatMul", SparseMatMul},
};

}  // namespace

namespace topics {
std::span<const KernelRow> MatrixSparseMatmul() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
