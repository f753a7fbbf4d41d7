#include "fastpath/formulas/sparse/product_sizes.h"

namespace plumb::fast {

ProductSizes ProductSizesOf(const Shape& a_indices, const Shape& a_values, const Tensor& a_shape, const Shape& b,
                            bool adjoint_a, bool adjoint_b) {
  Require(a_indices.rank() == 2 && a_indices[1] == 2 && a_values.rank() == 1 && a_values[0] == a_indices[0],
          "indices of shape ", a_indices.ToString(), " and values of shape ", a_values.ToString(),
          " are no sparse matrix");
  Require(a_shape.rank() == 1 && a_shape.dim(0) == 2 && b.rank() == 2, "a_shape of shape ", a_shape.shape().ToString(),
          " and b of shape ", b.ToString(), " must describe matrices");
  const Shape a(ToInt64s(a_shape));
  const ProductSizes sizes{a[adjoint_a ? 1 : 0], a[adjoint_a ? 0 : 1], b[adjoint_b ? 0 : 1]};
  Require(sizes.inner == b[adjoint_b ? 1 : 0], "the inner dimensions are ", sizes.inner, " and ", b[adjoint_b ? 1 : 0]);
  return sizes;
}

}  // namespace plumb::fast
