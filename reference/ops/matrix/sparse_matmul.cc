#include "reference/kernel/op_context.h"
#include "reference/numbers/numbers_io.h"

namespace plumb::reference {
namespace {

// The elements of both types are float32 numbers, and so is the product.
void SparseMatMul(OpContext& c) {
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
  for (int64_t i = 0; i < m * n; ++i) {
    const int64_t row = i / n, column = i % n;
    Sum sum;
    for (int64_t k = 0; k < inner; ++k) {
      sum.AddProduct(a[ta ? k * m + row : row * inner + k], b[tb ? column * inner + k : k * n + column]);
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
