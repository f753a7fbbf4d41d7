// Singular values, and vectors.
#include "reference/ops/lib/dense/io.h"
#include "reference/ops/lib/dense/spectra.h"

namespace plumb::reference {
namespace {

template <class N>
struct Decomposition {
  Parts<N> s, u, v;
};

template <class S>
std::vector<int64_t> FirstColumns(int64_t count) {
  std::vector<int64_t> first(static_cast<size_t>(count));
  std::iota(first.begin(), first.end(), int64_t{0});
  return first;
}

// [u; v]/√2 are eigenvectors of {0 A; Aᴴ 0}, whose eigenvalues are ±s, and zeros where A is not square.
double GapOf(const std::vector<double>& s, size_t i, bool square) {
  double gap = square ? 2 * s[i] : s[i];
  for (size_t j = 0; j < s.size(); ++j) {
    if (j != i) gap = std::min(gap, std::fabs(s[i] - s[j]));
  }
  return gap;
}

// dU = U·X + what is outside of U's span, with the skew X that dA = dU·S·Vᴴ + U·dS·Vᴴ + U·S·dVᴴ asks for. `projected`
// is Uᴴ·dA·V and `along` dA·V, or both for the other side.
template <class S>
Dense<S> TangentOf(const Dense<S>& u, const std::vector<double>& s, const Dense<S>& projected, const Dense<S>& along) {
  const auto count = static_cast<int64_t>(s.size());
  const Dense<S> first = ColumnsOf(u, FirstColumns<S>(count));
  Dense<S> turned(count, count), outside = along - first * (Adjoint(first) * along);
  for (int64_t j = 0; j < count; ++j) {
    const double sj = s[static_cast<size_t>(j)];
    for (int64_t i = 0; i < count; ++i) {
      const double si = s[static_cast<size_t>(i)], difference = sj * sj - si * si;
      if (difference == 0) continue;
      turned(i, j) = (projected(i, j) * sj + si * Conjugated(projected(j, i))) / difference;
    }
    for (int64_t i = 0; i < u.rows; ++i) outside(i, j) = sj > 0 ? outside(i, j) / sj : S(0);
  }
  const Dense<S> moved = first * turned + outside;
  // The rest of the basis stays orthogonal: dU₂ = −U₁·dU₁ᴴ·U₂.
  Dense<S> tangent = S(-1) * (first * (Adjoint(moved) * u));
  for (int64_t i = 0; i < u.rows; ++i) {
    for (int64_t j = 0; j < count; ++j) tangent(i, j) = moved(i, j);
  }
  return tangent;
}

template <class N>
void SetErrors(Parts<N>& vectors, const std::vector<double>& s, double error, double step, bool square) {
  const auto count = static_cast<int64_t>(s.size());
  for (int64_t j = 0; j < vectors.value.columns; ++j) {
    // One column behind the values is what is left of the space; it turns as far as the others do.
    const bool is_last = j == count && vectors.value.columns == count + 1;
    const double gap = j < count ? GapOf(s, static_cast<size_t>(j), square) : is_last && count > 0 ? s.back() : 0;
    for (int64_t i = 0; i < vectors.value.rows; ++i) {
      vectors.error(i, j) = ComponentError(std::abs(vectors.value(i, j)), error + step * gap, gap);
    }
  }
}

// What stands for the answer where there is none: NaN, but zero among complex numbers, as in TensorFlow, which asks
// the C++ library for a NaN of the type.
template <class N>
Decomposition<N> Missing(int64_t values, int64_t m, int64_t left, int64_t n, int64_t right) {
  using S = typename Parts<N>::S;
  const S missing = std::is_floating_point_v<S> ? S(NAN) : S(0);
  Decomposition<N> none{Parts<N>(values, 1), Parts<N>(m, left), Parts<N>(n, right)};
  for (Parts<N>* part : {&none.s, &none.u, &none.v}) std::fill(part->value.at.begin(), part->value.at.end(), missing);
  return none;
}

// `left` and `right`: columns of U and V.
template <class N>
Decomposition<N> Decomposed(const Parts<N>& a, int64_t left, int64_t right) {
  using S = typename Parts<N>::S;
  const int64_t m = a.value.rows, n = a.value.columns, count = std::min(m, n);
  if (!IsFinite(a.value)) return Missing<N>(count, m, left, n, right);
  Singular<S> singular(a.value, left, right);
  const Dense<S> along = a.tangent * ColumnsOf(singular.v, FirstColumns<S>(count));
  const Dense<S> across = Adjoint(a.tangent) * ColumnsOf(singular.u, FirstColumns<S>(count));
  const Dense<S> projected = Adjoint(ColumnsOf(singular.u, FirstColumns<S>(count))) * along;
  const double step = SpectralStep<S>(m, n), error = SpectralError(Magnitudes(a.value), a.error, step);
  Decomposition<N> result{Parts<N>(count, 1), Parts<N>(m, left), Parts<N>(n, right)};
  for (int64_t i = 0; i < count; ++i) {
    result.s.value(i, 0) = singular.values[static_cast<size_t>(i)];
    result.s.error(i, 0) = error;
    result.s.tangent(i, 0) = RealPart(projected(i, i));
  }
  result.u.tangent = TangentOf(singular.u, singular.values, projected, along);
  result.v.tangent = TangentOf(singular.v, singular.values, Adjoint(projected), across);
  result.u.value = std::move(singular.u);
  result.v.value = std::move(singular.v);
  SetErrors(result.u, singular.values, error, step, m == n);
  SetErrors(result.v, singular.values, error, step, m == n);
  return result;
}

// Of a matrix without elements: bases of the spaces whose dimension is not zero, where whole ones are asked for.
template <class N>
Parts<N> UnitMatrix(int64_t n) {
  Parts<N> unit(n, n);
  unit.value = Identity<typename Parts<N>::S>(n);
  for (int64_t i = 0; i < n * n; ++i) {
    const auto at = static_cast<size_t>(i);
    unit.error.at[at] = ComponentError(std::abs(unit.value.at[at]), 0, 0);
  }
  return unit;
}

void Svd(OpContext& c) {
  const Shape batch = BatchOf(c);
  const DType dtype = c.tensor(0).dtype();
  const bool wants_vectors = c.attr<bool>("compute_uv"), full = c.attr<bool>("full_matrices");
  const int64_t m = RowsOf(c), n = ColumnsOf(c), count = std::min(m, n);
  const int64_t left = full ? m : count, right = full ? n : count;
  const auto stacked = [&](int64_t rows, int64_t columns) {
    return wants_vectors ? Concatenated(batch, Shape({rows, columns})) : Shape({0});
  };
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto a = Load<N>(c.input(0));
    auto s = MakeArray<N>(dtype, Concatenated(batch, Shape({count})));
    auto u = MakeArray<N>(dtype, stacked(m, left)), v = MakeArray<N>(dtype, stacked(n, right));
    const bool is_empty = s.shape.elements() + u.shape.elements() + v.shape.elements() == 0;
    for (int64_t i = 0; i < (is_empty ? 0 : batch.elements()); ++i) {
      if (count == 0) {
        if (u.shape.elements() > 0) SetMatrix(u, i, UnitMatrix<N>(m));
        if (v.shape.elements() > 0) SetMatrix(v, i, UnitMatrix<N>(n));
        continue;
      }
      const Decomposition<N> result = Decomposed(MatrixAt(a, i), left, right);
      SetMatrix(s, i, result.s);
      if (wants_vectors) SetMatrix(u, i, result.u);
      if (wants_vectors) SetMatrix(v, i, result.v);
    }
    c.Output(0, Store(s));
    c.Output(1, Store(u));
    c.Output(2, Store(v));
  });
}

constexpr KernelRow kRows[] = {
    {"Svd", Svd},
    {"BatchSvd", Svd},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgSvd() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
