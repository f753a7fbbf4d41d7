#include "reference/ops/matrix/matrix_product.h"

#include "reference/numbers/broadcast.h"
#include "reference/numbers/narrow_sums.h"

namespace plumb::reference {
namespace {

// The matrix that starts at `base`, as rows (or, for the right factor, as columns) that lie together in memory.
template <class N>
std::vector<N> Lines(const Array<N>& source, int64_t base, int64_t lines, int64_t length, bool line_major,
                     bool conjugate) {
  std::vector<N> result(lines * length);
  for (int64_t i = 0; i < lines; ++i) {
    for (int64_t k = 0; k < length; ++k) {
      const N element = source[base + (line_major ? i * length + k : k * lines + i)];
      result[i * length + k] = conjugate ? Conj(element) : element;
    }
  }
  return result;
}

struct Sizes {
  int64_t m, k, n;
};
Sizes SizesOf(const Shape& a, Reading read_a, const Shape& b, Reading read_b) {
  Require(a.rank() >= 2 && b.rank() >= 2, "factors must have at least two dimensions: ", a.ToString(), " and ",
          b.ToString());
  const auto dim = [](const Shape& shape, int from_end, bool transpose) {
    return shape.dim(shape.rank() - (transpose ? 3 - from_end : from_end));
  };
  const Sizes sizes{dim(a, 2, read_a.transpose), dim(a, 1, read_a.transpose), dim(b, 1, read_b.transpose)};
  const int64_t inner = dim(b, 2, read_b.transpose);
  Require(sizes.k == inner, "matrix size-incompatible: ", a.ToString(), " and ", b.ToString(), " meet with ", sizes.k,
          " columns and ", inner, " rows");
  return sizes;
}

template <class N>
void Multiply(const Array<N>& a, int64_t base_a, Reading read_a, const Array<N>& b, int64_t base_b, Reading read_b,
              Sizes sizes, Array<N>& c, int64_t base_c) {
  const auto rows = Lines(a, base_a, sizes.m, sizes.k, !read_a.transpose, read_a.conjugate);
  const auto columns = Lines(b, base_b, sizes.n, sizes.k, read_b.transpose, read_b.conjugate);
  for (int64_t i = 0; i < sizes.m; ++i) {
    for (int64_t j = 0; j < sizes.n; ++j) {
      SumOf<N> sum;
      for (int64_t k = 0; k < sizes.k; ++k) sum.AddProduct(rows[i * sizes.k + k], columns[j * sizes.k + k]);
      c[base_c + i * sizes.n + j] = sum.Result();
    }
  }
}

}  // namespace

void BatchProduct(OpContext& context, Reading read_a, Reading read_b) {
  context.Output(0, BatchProduct(context.input(0), read_a, context.input(1), read_b));
}

Value BatchProduct(const Value& x, Reading read_a, const Value& y, Reading read_b) {
  const Shape &a_shape = x.tensor.shape(), &b_shape = y.tensor.shape();
  const Sizes sizes = SizesOf(a_shape, read_a, b_shape, read_b);
  const Shape a_batch = Subshape(a_shape, 0, a_shape.rank() - 2), b_batch = Subshape(b_shape, 0, b_shape.rank() - 2);
  const Shape batch = BroadcastShape(a_batch, b_batch);
  std::vector<int64_t> dims = batch.ToVector();
  dims.insert(dims.end(), {sizes.m, sizes.n});
  const Shape shape(dims);
  const DType dtype = x.tensor.dtype();
  Value product;
  ForNumber(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    SumNarrowProductsOf(dtype);
    const auto a = Load<N>(x), b = Load<N>(y);
    auto c = MakeArray<N>(dtype, shape);
    const int64_t matrices = shape.elements() == 0 ? 0 : batch.elements();
    const auto from_a = BroadcastIndex(a_batch, matrices == 0 ? a_batch : batch);
    const auto from_b = BroadcastIndex(b_batch, matrices == 0 ? b_batch : batch);
    for (int64_t i = 0; i < matrices; ++i) {
      Multiply(a, from_a[i] * sizes.m * sizes.k, read_a, b, from_b[i] * sizes.k * sizes.n, read_b, sizes, c,
               i * sizes.m * sizes.n);
    }
    product = Store(c);
  });
  return product;
}

}  // namespace plumb::reference
