// Jacobi's rotations, many at once: in each of the rounds of a sweep every row or column is in one pair at most.
#pragma once

#include <limits>

#include "fastpath/gpu/linalg/matrices.h"

namespace plumb::fast::GPU_NAMESPACE {

inline constexpr int kMostSweeps = 80;  // the method converges quadratically: ten are many

// The unitary matrix of two rows that makes {app, apq; conj(apq), aqq} diagonal when it is multiplied from both sides:
// {c, s; −s·conj(phase), c·conj(phase)}.
template <class N>
struct Rotation {
  RealOf<N> c, s;
  N phase;  // of apq
  int64_t is_needed;

  PLUMB_GPU_INLINE static Rotation None() { return {RealOf<N>(1), RealOf<N>(0), N(RealOf<N>(1)), 0}; }
  PLUMB_GPU_INLINE static Rotation Of(RealOf<N> app, N apq, RealOf<N> aqq) {
    using R = RealOf<N>;
    const R size = Magnitude(apq), slope = (aqq - app) / (2 * size);
    const R t = R(slope < 0 ? -1 : 1) / (std::fabs(slope) + std::hypot(slope, R(1)));
    const R c = 1 / std::hypot(t, R(1));
    return {c, t * c, apq / size, 1};
  }
  // What column p and column q have in a row; and what rows p and q have in a column.
  PLUMB_GPU_INLINE void TurnColumns(N& p, N& q) const { Turn(p, Conjugated(phase) * q, p, q); }
  PLUMB_GPU_INLINE void TurnRows(N& p, N& q) const { Turn(p, phase * q, p, q); }

 private:
  PLUMB_GPU_INLINE void Turn(N x, N y, N& p, N& q) const {
    p = c * x - s * y;
    q = s * x + c * y;
  }
};

// The pairs of n numbers in `rounds()` rounds, as in a tournament: one number stays, the others go around.
struct Tournament {
  int64_t n = 0;

  PLUMB_GPU_WORD int64_t pairs() const { return (n + 1) / 2; }
  PLUMB_GPU_WORD int64_t rounds() const { return 2 * pairs() - 1; }
  struct Pair {
    int64_t p, q;  // p < q; q = n where p has no other
  };
  PLUMB_GPU_WORD Pair At(int64_t round, int64_t i) const {
    const int64_t around = rounds();
    const int64_t x = i == 0 ? around : (round + i) % around, y = (round + around - i) % around;
    return x < y ? Pair{x, y} : Pair{y, x};
  }
};

template <class R>
struct LargestElement {
  R size;
  int64_t is_finite;
};
struct LargerElement {
  template <class R>
  PLUMB_GPU_INLINE LargestElement<R> operator()(LargestElement<R> a, LargestElement<R> b) const {
    return {a.size < b.size ? b.size : a.size, a.is_finite & b.is_finite};
  }
};
// How large the elements at(0) … at(count - 1) are, and whether all of them are finite, for all who work on the matrix.
template <class N, class At, class Crew>
PLUMB_GPU_INLINE LargestElement<RealOf<N>> FindLargest(const Crew& crew, int64_t count,
                                                       Shared<LargestElement<RealOf<N>>> shared, const At& at) {
  using R = RealOf<N>;
  LargestElement<R> found = {R(0), 1};
  for (int64_t i = crew.thread(); i < count; i += crew.threads()) {
    const N x = at(i);
    const R re = std::fabs(RealPart(x)), im = std::fabs(ImagPart(x));
    found = LargerElement()(found, LargestElement<R>{re < im ? im : re, IsFiniteNumber(x) ? 1 : 0});
  }
  return crew.template Merge<LargestElement<R>>(found, shared, LargerElement());
}
// The power of two that brings numbers of this size near one.
template <class R>
PLUMB_GPU_INLINE int PowerFor(R largest) {
  return largest > R(0) ? -std::ilogb(largest) : 0;
}
template <class N>
PLUMB_GPU_INLINE N ScaledBy(N x, int power) {
  if constexpr (kIsComplex<N>) {
    return {std::scalbn(x.re, power), std::scalbn(x.im, power)};
  } else {
    return std::scalbn(x, power);
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE
