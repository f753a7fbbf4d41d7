// Triangular equations by substitution.
#pragma once

#include "reference/ops/lib/dense/io.h"

namespace plumb::reference {

// X with T·X = B. (T + δT)·x̂ = B with |δT| ≤ γₙ·|T| in any order of the sums (Higham, theorem 8.5), and two steps more
// for reciprocals of the diagonal. A zero there is divided by: the answer is not finite, and its bound says nothing.
template <class N>
Parts<N> Substituted(const Parts<N>& t, bool lower, const Parts<N>& b) {
  using S = typename Parts<N>::S;
  const int64_t n = t.value.rows;
  const auto solved = [&](const Dense<S>& right) { return Elimination<S>::Substituted(t.value, lower, right); };
  const Dense<S> x = solved(b.value);
  Dense<S> tangent = solved(b.tangent - t.tangent * x);
  if (!arithmetic.bounds) return {x, Sizes(x.rows, x.columns), std::move(tangent)};
  const Sizes perturbed = Gamma<S>(n + 2) * Magnitudes(t.value) + t.error;
  return {x, SolutionError(Magnitudes(solved(Identity<S>(n))), perturbed, Magnitudes(x), b.error), std::move(tangent)};
}

template <class N>
Parts<N> AdjointOf(const Parts<N>& a) {
  return {Adjoint(a.value), Adjoint(a.error), Adjoint(a.tangent)};
}

// One triangle, or its adjoint.
template <class N>
Parts<N> TriangleOf(const Parts<N>& a, bool lower, bool adjoint) {
  const Parts<N> triangle(Triangle(a.value, lower), Triangle(a.error, lower), Triangle(a.tangent, lower));
  return adjoint ? AdjointOf(triangle) : triangle;
}

}  // namespace plumb::reference
