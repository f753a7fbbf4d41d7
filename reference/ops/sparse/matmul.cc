#include "reference/numbers/narrow_sums.h"
#include "reference/ops/lib/sparse_tensor.h"

namespace plumb::reference {
namespace {

void SparseTensorDenseMatMul(OpContext& c) {
  const Tensor& b = c.tensor(3);
  const bool adjoint_a = c.attr<bool>("adjoint_a"), adjoint_b = c.attr<bool>("adjoint_b");
  Require(b.rank() == 2 && c.tensor(2).shape() == Shape{2}, "the operands must be matrices: a_shape has the shape ",
          c.tensor(2).shape().ToString(), ", b ", b.shape().ToString());
  const SparseTensor a = SparseInput(c, 0);
  const Shape shape = a.dense_shape();
  const int64_t outer = shape.dim(adjoint_a ? 1 : 0), inner = shape.dim(adjoint_a ? 0 : 1);
  const int64_t width = b.dim(adjoint_b ? 0 : 1);
  Require(inner == b.dim(adjoint_b ? 1 : 0), "a matrix of ", inner, " columns cannot be multiplied with one of ",
          b.dim(adjoint_b ? 1 : 0), " rows");
  ForNumber(b.dtype(), [&](auto kind) {
    using N = typename decltype(kind)::Type;
    SumNarrowProductsOf(b.dtype());
    const Reader<N> x(a.values), y(c.input(3));
    auto result = MakeArray<N>(b.dtype(), {outer, width});
    std::vector<SumOf<N>> sums(result.at.size());
    const bool has_products = b.elements() > 0 && !sums.empty();
    if (has_products) a.CheckBounds();
    for (int64_t i = 0; i < a.at.count && has_products; ++i) {
      const int64_t row = a.at(i, adjoint_a ? 1 : 0), k = a.at(i, adjoint_a ? 0 : 1);
      const N factor = adjoint_a ? Conj(x[i]) : x[i];
      for (int64_t j = 0; j < width; ++j) {
        const N other = adjoint_b ? Conj(y[j * inner + k]) : y[k * width + j];
        sums[static_cast<size_t>(row * width + j)].AddProduct(factor, other);
      }
    }
    for (size_t i = 0; i < sums.size(); ++i) result.at[i] = sums[i].Result();
    c.Output(0, Store(result));
  });
}

constexpr KernelRow kRows[] = {
    {"SparseTensorDenseMatMul", SparseTensorDenseMatMul},
};

}  // namespace

namespace topics {
std::span<const KernelRow> SparseMatmul() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
