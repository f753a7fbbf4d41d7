// A = Q·R by Householder's reflections.
#include "reference/ops/lib/dense/io.h"
#include "reference/ops/lib/dense/spectra.h"

namespace plumb::reference {
namespace {

inline double ImaginaryPart(double) { return 0; }
inline double ImaginaryPart(std::complex<double> z) { return z.imag(); }

// Q, whole, and R; and for each column how clearly the sign of its diagonal element was chosen: by how much the numbers
// that decide it are away from where it would be the other one.
template <class S>
struct Factors {
  Dense<S> q, r;
  std::vector<double> margins;
  int64_t untouched = 0;  // so many columns were there as they are, before any was reflected

  explicit Factors(const Dense<S>& a) : q(Identity<S>(a.rows)), r(a) {
    bool reflected = false;
    for (int64_t k = 0; k < std::min(a.rows, a.columns); ++k) {
      if (!reflected) ++untouched;
      reflected = Reflect(k) || reflected;
    }
  }

 private:
  // Turns column k below the diagonal to zero; returns whether there was anything to do.
  bool Reflect(int64_t k) {
    const int64_t m = r.rows;
    double tail = 0;
    for (int64_t i = k + 1; i < m; ++i) tail = std::hypot(tail, std::abs(r(i, k)));
    const S first = r(k, k);
    const bool is_last = k + 1 == m;
    margins.push_back(is_last && std::is_same_v<S, double>
                          ? INFINITY
                          : std::min(std::fabs(RealPart(first)), std::max(tail, std::fabs(ImaginaryPart(first)))));
    const double length = std::hypot(std::abs(first), tail);
    if ((tail == 0 && ImaginaryPart(first) == 0) || !(length > 0)) return false;
    // H = I − t·v·vᴴ with v = (1, x/(first − beta)); R is H·A, and Q is Hᴴ.
    const double beta = RealPart(first) >= 0 ? -length : length;
    Dense<S> v(m, 1);
    v(k, 0) = 1;
    for (int64_t i = k + 1; i < m; ++i) v(i, 0) = r(i, k) / (first - beta);
    const S t = Conjugated((beta - first) / beta);
    for (int64_t j = 0; j < r.columns; ++j) {
      S overlap = 0;
      for (int64_t i = k; i < m; ++i) overlap += Conjugated(v(i, 0)) * r(i, j);
      for (int64_t i = k; i < m; ++i) r(i, j) -= t * v(i, 0) * overlap;
    }
    for (int64_t i = k + 1; i < m; ++i) r(i, k) = 0;
    r(k, k) = beta;
    for (int64_t i = 0; i < m; ++i) {
      S overlap = 0;
      for (int64_t j = k; j < m; ++j) overlap += q(i, j) * v(j, 0);
      for (int64_t j = k; j < m; ++j) q(i, j) -= Conjugated(t) * overlap * Conjugated(v(j, 0));
    }
    return true;
  }
};

template <class N>
struct Result {
  Parts<N> q, r;
};

// dR = Qᴴ·dA − X·R and dQ = Q·X + (I − Q·Qᴴ)·dA·R₁⁻¹, where the skew X has the lower triangle of C = Qᴴ·dA₁·R₁⁻¹ and
// the imaginary part of its diagonal.
template <class S>
void SetTangents(const Dense<S>& q, const Dense<S>& r, const Dense<S>& inverse, const Dense<S>& moved, Dense<S>* dq,
                 Dense<S>* dr) {
  const int64_t count = inverse.rows;
  Dense<S> leading(moved.rows, count);
  for (int64_t i = 0; i < moved.rows; ++i) {
    for (int64_t j = 0; j < count; ++j) leading(i, j) = moved(i, j);
  }
  const Dense<S> along = leading * inverse, c = Adjoint(q) * along;
  Dense<S> x(count, count);
  for (int64_t i = 0; i < count; ++i) {
    x(i, i) = (c(i, i) - Conjugated(c(i, i))) * 0.5;
    for (int64_t j = 0; j < i; ++j) {
      x(i, j) = c(i, j);
      x(j, i) = -Conjugated(c(i, j));
    }
  }
  *dr = Triangle(Adjoint(q) * moved - x * r, false);
  *dq = q * x + (along - q * c);
}

template <class S>
Dense<S> Leading(const Dense<S>& a, int64_t rows, int64_t columns) {
  Dense<S> part(rows, columns);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) part(i, j) = a(i, j);
  }
  return part;
}

// A conforming Q̂·R̂ is A + δA with ‖δA‖ ≤ `moved`. With μ = ‖δA‖·‖R₁⁻¹‖ below a quarter, Q moves by 4μ at most (Sun),
// and column j of R by as much of its length, and ‖δA‖. Where a sign may have been chosen the other way, twice the
// number comes besides; beyond all this, unit vectors and the lengths of columns bound what may come.
template <class N, class S>
void SetErrors(const Factors<S>& factors, const Sizes& size, const Sizes& error, double mu, double moved,
               Result<N>* to) {
  const double turned = mu < 0.25 ? 4 * mu : INFINITY;
  const auto count = static_cast<int64_t>(factors.margins.size());
  const double own = Gamma<S>(8 * size.rows + 8);
  std::vector<double> lengths;
  for (int64_t j = 0; j < size.columns; ++j) lengths.push_back(ColumnNorm(size, j) + ColumnNorm(error, j));
  const auto is_unclear = [&](int64_t k) {
    const bool exact = k < factors.untouched && Largest(error) == 0;
    return k < count && !exact &&
           !(factors.margins[static_cast<size_t>(k)] > moved + turned * lengths[static_cast<size_t>(k)]);
  };
  for (int64_t j = 0; j < to->q.value.columns; ++j) {
    for (int64_t i = 0; i < to->q.value.rows; ++i) {
      const double q = std::abs(to->q.value(i, j));
      to->q.error(i, j) = std::min((j < count ? turned : INFINITY) + own + (is_unclear(j) ? 2 * q : 0), 1 + q + own);
    }
  }
  for (int64_t i = 0; i < to->r.value.rows; ++i) {
    for (int64_t j = i; j < to->r.value.columns; ++j) {
      const double r = std::abs(to->r.value(i, j)), length = lengths[static_cast<size_t>(j)];
      const double step = moved + turned * length + own * length + (is_unclear(i) ? 2 * r : 0);
      const double most = r + length + moved;
      to->r.error(i, j) = most < arithmetic.largest / 4 ? std::min(std::isnan(step) ? INFINITY : step, most) : INFINITY;
    }
  }
}

template <class N>
Result<N> Decomposed(const Parts<N>& a, int64_t inner) {
  using S = typename Parts<N>::S;
  const int64_t m = a.value.rows, n = a.value.columns, count = std::min(m, n);
  Result<N> result{Parts<N>(m, inner), Parts<N>(inner, n)};
  if (!IsFinite(a.value)) {
    for (Parts<N>* part : {&result.q, &result.r}) {
      std::fill(part->value.at.begin(), part->value.at.end(), S(NAN));
      std::fill(part->error.at.begin(), part->error.at.end(), INFINITY);
    }
    for (int64_t i = 0; i < inner; ++i) {
      for (int64_t j = 0; j < std::min(i, n); ++j) result.r.value(i, j) = result.r.error(i, j) = 0;
    }
    return result;
  }
  const Factors<S> factors(a.value);
  result.q.value = Leading(factors.q, m, inner);
  result.r.value = Leading(factors.r, inner, n);
  const Dense<S> inverse = Elimination<S>::Substituted(Leading(factors.r, count, count), false, Identity<S>(count));
  const Sizes size = Magnitudes(a.value);
  const double moved = SpectralError(size, a.error, SpectralStep<S>(m, n));
  SetErrors(factors, size, a.error, moved * FrobeniusNorm(Magnitudes(inverse)), moved, &result);
  if (inner == count) {
    SetTangents(result.q.value, result.r.value, inverse, a.tangent, &result.q.tangent, &result.r.tangent);
  }
  return result;
}

void Qr(OpContext& c) {
  const Shape batch = BatchOf(c);
  const DType dtype = c.tensor(0).dtype();
  const int64_t m = RowsOf(c), n = ColumnsOf(c), inner = c.attr<bool>("full_matrices") ? m : std::min(m, n);
  ForKind<Real, Complex>(dtype, [&](auto kind) {
    using N = typename decltype(kind)::Type;
    const auto a = Load<N>(c.input(0));
    auto q = MakeArray<N>(dtype, Concatenated(batch, Shape({m, inner})));
    auto r = MakeArray<N>(dtype, Concatenated(batch, Shape({inner, n})));
    for (int64_t i = 0; i < MatricesIn(q.shape, batch); ++i) {
      const Result<N> result = Decomposed(MatrixAt(a, i), inner);
      SetMatrix(q, i, result.q);
      SetMatrix(r, i, result.r);
    }
    c.Output(0, Store(q));
    c.Output(1, Store(r));
  });
}

constexpr KernelRow kRows[] = {
    {"Qr", Qr},
};

}  // namespace

namespace topics {
std::span<const KernelRow> LinalgQr() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
