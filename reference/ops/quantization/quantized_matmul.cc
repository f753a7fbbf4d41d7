// The product of matrices of codes, each counted from the code of 0.
#include "reference/ops/quantization/products.h"

namespace plumb::reference {
namespace {

void QuantizedMatMul(OpContext& c) {
  const CenteredFactors factors(c, ScalarFloat(c, 2), OneFloat(c, 3), OneFloat(c, 4), OneFloat(c, 5));
  factors.RequireRanges();
  const Shape &a = c.tensor(0).shape(), &b = c.tensor(1).shape();
  Require(a.rank() == 2, "a must be a matrix, not of shape ", a.ToString());
  Require(b.rank() == 2, "b must be a matrix, not of shape ", b.ToString());
  const bool transpose_a = c.attr<bool>("transpose_a"), transpose_b = c.attr<bool>("transpose_b");
  const int64_t m = a.dim(transpose_a ? 1 : 0), k = a.dim(transpose_a ? 0 : 1), n = b.dim(transpose_b ? 0 : 1);
  Require(k == b.dim(transpose_b ? 1 : 0), "the inner dimensions of ", a.ToString(), " and ", b.ToString(),
          " differ, as they are to be transposed");
  Writer<Integer> product(DType::kQint32, Shape({m, n}));
  for (int64_t row = 0; row < m; ++row) {
    for (int64_t column = 0; column < n; ++column) {
      Integer sum;
      for (int64_t i = 0; i < k; ++i) {
        sum += factors.a(transpose_a ? i * m + row : row * k + i) *
               factors.b(transpose_b ? column * k + i : i * n + column);
      }
      product.Set(row * n + column, sum);
    }
  }
  c.Output(0, product.Take());
  factors.OutputRange(c);
}

constexpr KernelRow kRows[] = {
    {"QuantizedMatMul", QuantizedMatMul},
};

}  // namespace

namespace topics {
std::span<const KernelRow> QuantizationQuantizedMatmul() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
