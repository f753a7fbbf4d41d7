// Values as batches of plain matrices with errors and derivatives beside them, and back.
#pragma once

#include "reference/kernel/op_context.h"
#include "reference/numbers/index.h"
#include "reference/ops/lib/dense/matrix.h"

namespace plumb::reference {

template <class N>
struct PlainOf {
  using Type = double;
};
template <>
struct PlainOf<Complex> {
  using Type = std::complex<double>;
};

// A matrix of numbers N: values, bounds of the errors of either part, derivatives.
template <class N>
struct Parts {
  using S = typename PlainOf<N>::Type;
  Dense<S> value;
  Sizes error;
  Dense<S> tangent;

  Parts(int64_t rows, int64_t columns) : value(rows, columns), error(rows, columns), tangent(rows, columns) {}
  Parts(Dense<S> value, Sizes error, Dense<S> tangent)
      : value(std::move(value)), error(std::move(error)), tangent(std::move(tangent)) {}
};

inline void SetPart(Real x, double& value, double& error, double& tangent) {
  value = x.v;
  error = x.e;
  tangent = x.d;
}
inline void SetPart(Complex z, std::complex<double>& value, double& error, std::complex<double>& tangent) {
  value = {z.re.v, z.im.v};
  error = std::hypot(z.re.e, z.im.e);
  tangent = {z.re.d, z.im.d};
}
inline double KnownError(double value, double error) {
  return std::isnan(error) ? INFINITY : std::isfinite(value) || error == INFINITY ? error : 0;
}
inline Real NumberOf(double value, double error, double tangent) { return {value, KnownError(value, error), tangent}; }
inline Complex NumberOf(std::complex<double> value, double error, std::complex<double> tangent) {
  return {NumberOf(value.real(), error, tangent.real()), NumberOf(value.imag(), error, tangent.imag())};
}

// The matrix number `i` of a batch.
template <class N>
Parts<N> MatrixAt(const Array<N>& batch, int64_t i) {
  const int rank = batch.shape.rank();
  Parts<N> parts(batch.shape.dim(rank - 2), batch.shape.dim(rank - 1));
  const int64_t size = parts.value.rows * parts.value.columns;
  for (int64_t k = 0; k < size; ++k) {
    const auto at = static_cast<size_t>(k);
    SetPart(batch[i * size + k], parts.value.at[at], parts.error.at[at], parts.tangent.at[at]);
  }
  return parts;
}
template <class N>
void SetMatrix(Array<N>& batch, int64_t i, const Parts<N>& parts) {
  const auto size = static_cast<int64_t>(parts.value.at.size());
  for (int64_t k = 0; k < size; ++k) {
    const auto at = static_cast<size_t>(k);
    batch[i * size + k] = NumberOf(parts.value.at[at], parts.error.at[at], parts.tangent.at[at]);
  }
}

// The dimensions before the last two of input `i`.
inline Shape BatchOf(const OpContext& c, int i = 0) {
  const Shape& shape = c.tensor(i).shape();
  Require(shape.rank() >= 2, "input ", i, " must have rank 2 at least, not the shape ", shape.ToString());
  return Subshape(shape, 0, shape.rank() - 2);
}
inline int64_t RowsOf(const OpContext& c, int i = 0) { return c.tensor(i).dim(c.tensor(i).rank() - 2); }
inline int64_t ColumnsOf(const OpContext& c, int i = 0) { return c.tensor(i).dim(c.tensor(i).rank() - 1); }
// Input 0 as a batch of square matrices; else kInvalidArgument.
inline Shape BatchOfSquares(const OpContext& c) {
  Shape batch = BatchOf(c);
  Require(RowsOf(c) == ColumnsOf(c), "the matrices must be square, not of shape ", c.tensor(0).shape().ToString());
  return batch;
}
// How many matrices are to be computed: none where they have no elements.
inline int64_t MatricesIn(const Shape& shape, const Shape& batch) {
  return shape.elements() == 0 ? 0 : batch.elements();
}
// Output 0 is f of each matrix of input 0, a batch of square ones of these kinds of numbers.
template <class... Kinds, class F>
void MapSquares(OpContext& c, F f) {
  const Shape batch = BatchOfSquares(c);
  const DType dtype = c.tensor(0).dtype();
  ForKind<Kinds...>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto a = Load<N>(c.input(0));
    auto result = MakeArray<N>(dtype, a.shape);
    for (int64_t i = 0; i < MatricesIn(a.shape, batch); ++i) SetMatrix(result, i, f(MatrixAt(a, i)));
    c.Output(0, Store(result));
  });
}

}  // namespace plumb::reference
