// Gaussian elimination with partial pivoting, and substitution, by all who work on a matrix.
#pragma once

#include "fastpath/gpu/linalg/matrices.h"

namespace plumb::fast::GPU_NAMESPACE {

template <class R>
struct Pivot {
  R size;
  int64_t row;
};
// Of equal ones the first.
struct LargerPivot {
  template <class R>
  PLUMB_GPU_INLINE Pivot<R> operator()(Pivot<R> a, Pivot<R> b) const {
    return b.size > a.size || (b.size == a.size && b.row < a.row) ? b : a;
  }
};

// The row, from k on, whose element in column k is the largest. NaN is no larger than anything, and keeps its place
// where it has it.
template <class N, class Crew>
PLUMB_GPU_INLINE int64_t PivotRow(const Crew& crew, Global<N> a, int64_t n, int64_t k,
                                  Shared<Pivot<RealOf<N>>> shared) {
  using R = RealOf<N>;
  Pivot<R> best = {R(-1), k};
  for (int64_t i = k + crew.thread(); i < n; i += crew.threads()) {
    const R size = Magnitude<N>(a[i * n + k]);
    const bool keeps = size != size && i == k;
    best = LargerPivot()(best, Pivot<R>{keeps ? std::numeric_limits<R>::infinity() : size != size ? R(-1) : size, i});
  }
  best = crew.template Merge<Pivot<R>>(best, shared, LargerPivot());
  crew.Sync();
  return best.row;
}

template <class N, class Crew>
PLUMB_GPU_INLINE void ExchangeRows(const Crew& crew, Global<N> a, int64_t width, int64_t i, int64_t k) {
  for (int64_t j = crew.thread(); i != k && j < width; j += crew.threads()) {
    const N upper = a[i * width + j];
    a[i * width + j] = a[k * width + j];
    a[k * width + j] = upper;
  }
}

// P·A = L·U in the place of A, of n rows: U, and L below the diagonal. The rows of B, of `width` columns, become those
// of L⁻¹·P·B. Where a pivot is zero, its column stays. Thread 0 calls exchanged(k, row) for each exchange of rows.
template <class N, class Exchanged, class Crew>
PLUMB_GPU_INLINE void Eliminate(const Crew& crew, Global<N> a, int64_t n, Global<N> b, int64_t width,
                                Shared<Pivot<RealOf<N>>> shared, const Exchanged& exchanged) {
  for (int64_t k = 0; k < n; ++k) {
    crew.Sync();
    const int64_t row = PivotRow(crew, a, n, k, shared);
    ExchangeRows(crew, a, n, k, row);
    ExchangeRows(crew, b, width, k, row);
    if (crew.thread() == 0 && row != k) exchanged(k, row);
    crew.Sync();
    const N pivot = a[k * n + k];
    if (pivot == N(0)) continue;
    for (int64_t i = k + 1 + crew.thread(); i < n; i += crew.threads()) a[i * n + k] = a[i * n + k] / pivot;
    crew.Sync();
    const int64_t rest = n - k - 1, columns = rest + width;
    for (int64_t at = crew.thread(); at < rest * columns; at += crew.threads()) {
      const int64_t i = k + 1 + at / columns, j = at % columns;
      if (j < rest) {
        a[i * n + k + 1 + j] -= a[i * n + k] * a[k * n + k + 1 + j];
      } else {
        b[i * width + j - rest] -= a[i * n + k] * b[k * width + j - rest];
      }
    }
  }
  crew.Sync();
}

// Leaves 1 in the slot where a pivot on the diagonal is zero, or the first one no number.
template <class N, class Crew>
PLUMB_GPU_INLINE void RefuseZeros(const Crew& crew, Global<N> a, int64_t n, Global<int64_t> slot) {
  for (int64_t k = crew.thread(); k < n; k += crew.threads()) {
    const N pivot = a[k * n + k];
    const bool is_none = pivot == N(0) || (k == 0 && !(pivot == pivot));
    if (is_none) AtomicCas(slot[0], int64_t{0}, int64_t{1});
  }
}

// Columns [begin, begin + count) of X with T·X = B in the place of B, of n rows and `width` columns, for a triangle
// whose elements are t(i, k).
template <class N, class Element, class Crew>
PLUMB_GPU_INLINE void Substitute(const Crew& crew, const Element& t, bool is_lower, int64_t n, Global<N> x,
                                 int64_t width, int64_t begin, int64_t count) {
  for (int64_t step = 0; step < n; ++step) {
    const int64_t k = is_lower ? step : n - 1 - step, first = is_lower ? k + 1 : 0;
    const N diagonal = t(k, k);
    for (int64_t j = crew.thread(); j < count; j += crew.threads()) {
      x[k * width + begin + j] = x[k * width + begin + j] / diagonal;
    }
    crew.Sync();
    for (int64_t at = crew.thread(); at < (n - 1 - step) * count; at += crew.threads()) {
      const int64_t i = first + at / count, j = begin + at % count;
      x[i * width + j] -= t(i, k) * x[k * width + j];
    }
    crew.Sync();
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE
