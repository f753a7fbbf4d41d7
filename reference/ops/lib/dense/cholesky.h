// Cholesky's factor of Hermitian positive definite matrices, of which the lower triangle is read.
#pragma once

#include "reference/ops/lib/dense/spectra.h"

namespace plumb::reference {

// The lower triangle, and its adjoint above it.
template <class S>
Dense<S> Hermitian(const Dense<S>& a) {
  Dense<S> hermitian = Triangle(a, true);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < i; ++j) hermitian(j, i) = Conjugated(a(i, j));
  }
  return hermitian;
}

// L with L·Lᴴ = A; its rows and columns before `failed`, the first pivot that is not positive; n where all are.
template <class S>
struct Factor {
  Dense<S> l;
  int64_t failed;
  double pivot = 0;  // the one that is not positive
};

template <class S>
Factor<S> Factorized(const Dense<S>& a) {
  Factor<S> factor{Dense<S>(a.rows, a.rows), a.rows};
  Dense<S>& l = factor.l;
  for (int64_t j = 0; j < a.rows; ++j) {
    double pivot = RealPart(a(j, j));
    for (int64_t k = 0; k < j; ++k) pivot -= std::norm(l(j, k));
    if (pivot <= 0) {
      factor.failed = j;
      factor.pivot = pivot;
      return factor;
    }
    l(j, j) = std::sqrt(pivot);
    for (int64_t i = j + 1; i < a.rows; ++i) {
      l(i, j) = a(i, j);
      for (int64_t k = 0; k < j; ++k) l(i, j) -= l(i, k) * Conjugated(l(j, k));
      l(i, j) /= l(j, j);
    }
  }
  return factor;
}

// Half of the diagonal, and what is below it.
template <class S>
Dense<S> HalfTriangle(Dense<S> a) {
  for (int64_t i = 0; i < a.rows; ++i) a(i, i) *= 0.5;
  return Triangle(std::move(a), true);
}

// A conforming factor is that of A + δA with |δA| ≤ γₙ₊₁·|L|·|Lᴴ| (Higham, theorem 10.3). With M = L⁻¹·δA·L⁻ᴴ, L
// moves by L·Φ(M) to first order, where Φ takes the lower triangle and half of the diagonal; as long as ‖M‖ is below a
// quarter, all higher orders are less than that once more.
template <class S>
Sizes FactorError(const Dense<S>& l, const Sizes& error) {
  const Sizes size = Magnitudes(l), inverse = Magnitudes(Elimination<S>::Substituted(l, true, Identity<S>(l.rows)));
  const Sizes perturbed = Gamma<S>(l.rows + 3) * (size * Adjoint(size)) + Hermitian(error);
  const Sizes moved = inverse * perturbed * Adjoint(inverse);
  const bool known = LargestRowSum(moved) < 0.25 && Largest(perturbed) < arithmetic.largest;
  Sizes bound = 2.0 * (size * HalfTriangle(moved));
  for (int64_t i = 0; i < l.rows; ++i) {
    for (int64_t j = 0; j <= i && !known; ++j) bound(i, j) = INFINITY;
  }
  return bound;
}

// How L moves with A: L·Φ(L⁻¹·dA·L⁻ᴴ); L⁻¹·dA·L⁻ᴴ is Hermitian as dA is.
template <class S>
Dense<S> FactorTangent(const Dense<S>& l, const Dense<S>& tangent) {
  const auto solved = [&](const Dense<S>& b) { return Elimination<S>::Substituted(l, true, b); };
  return l * HalfTriangle(solved(Adjoint(solved(Hermitian(tangent)))));
}

}  // namespace plumb::reference
