// Householder's reflections H = I − t·v·vᴴ, by all who work on a matrix.
#pragma once

#include <limits>

#include "fastpath/gpu/linalg/matrices.h"

namespace plumb::fast::GPU_NAMESPACE {

// Turns column k of A, of m rows and n columns, below the diagonal to zero, and all columns behind it along. The
// diagonal element becomes real, of the sign that it had not. v is left below the diagonal; its first element is 1.
// Returns t.
template <class N, class Crew>
PLUMB_GPU_INLINE N Reflect(const Crew& crew, Global<N> a, int64_t m, int64_t n, int64_t k, Shared<RealOf<N>> shared) {
  using R = RealOf<N>;
  R tail = 0;
  for (int64_t i = k + 1 + crew.thread(); i < m; i += crew.threads()) tail += SquareOfMagnitude<N>(a[i * n + k]);
  tail = crew.template Merge<R>(tail, shared, SumOf());
  const N first = a[k * n + k];
  const R imaginary = ImagPart(first), nothing = std::numeric_limits<R>::min();
  const bool is_there = tail <= nothing && imaginary * imaginary <= nothing;
  const R length = std::sqrt(SquareOfMagnitude(first) + tail);
  const R beta = is_there ? RealPart(first) : RealPart(first) >= 0 ? -length : length;
  const N divisor = first - N(beta), t = is_there ? N(R(0)) : Conjugated((N(beta) - first) / N(beta));
  crew.Sync();
  for (int64_t i = k + crew.thread(); i < m; i += crew.threads()) {
    a[i * n + k] = i == k ? N(beta) : is_there ? N(R(0)) : a[i * n + k] / divisor;
  }
  crew.Sync();
  for (int64_t j = k + 1 + crew.thread(); j < n; j += crew.threads()) {
    N overlap = a[k * n + j];
    for (int64_t i = k + 1; i < m; ++i) overlap += Conjugated<N>(a[i * n + k]) * a[i * n + j];
    overlap = t * overlap;
    a[k * n + j] -= overlap;
    for (int64_t i = k + 1; i < m; ++i) a[i * n + j] -= a[i * n + k] * overlap;
  }
  crew.Sync();
  return t;
}

// The first `columns` columns of Q = H₀ᴴ·H₁ᴴ·… from the vectors that `count` reflections left in A and their t. A
// thread has a column.
template <class N, class Crew>
PLUMB_GPU_INLINE void GatherReflections(const Crew& crew, Global<N> a, int64_t m, int64_t n, int64_t count, Global<N> t,
                                        Global<N> q, int64_t columns) {
  for (int64_t j = crew.thread(); j < columns; j += crew.threads()) {
    for (int64_t i = 0; i < m; ++i) q[i * columns + j] = N(RealOf<N>(i == j ? 1 : 0));
    for (int64_t k = count - 1; k >= 0; --k) {
      N overlap = q[k * columns + j];
      for (int64_t i = k + 1; i < m; ++i) overlap += Conjugated<N>(a[i * n + k]) * q[i * columns + j];
      overlap = Conjugated<N>(t[k]) * overlap;
      q[k * columns + j] -= overlap;
      for (int64_t i = k + 1; i < m; ++i) q[i * columns + j] -= a[i * n + k] * overlap;
    }
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE
