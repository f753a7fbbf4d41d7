// Principal square roots and logarithms of square matrices, and how they move with the matrix.
#pragma once

#include <optional>

#include "reference/ops/lib/dense/matrix.h"

namespace plumb::reference {

template <class S>
Dense<S> InverseOf(const Dense<S>& a) {
  return Elimination<S>(a).Solved(Identity<S>(a.rows));
}
template <class S>
double LargestSum(const Dense<S>& a) {
  return LargestRowSum(Magnitudes(a));
}

// By Denman and Beavers' iteration, which converges quadratically where no eigenvalue lies on the negative axis;
// nothing where it does not.
template <class S>
std::optional<Dense<S>> SquareRootOf(const Dense<S>& a) {
  constexpr int kMostSteps = 60;
  Dense<S> y = a, z = Identity<S>(a.rows);
  for (int step = 0; step < kMostSteps; ++step) {
    const Dense<S> next = S(0.5) * (y + InverseOf(z));
    z = S(0.5) * (z + InverseOf(y));
    const double size = LargestSum(next), moved = LargestSum(next - y);
    y = next;
    if (!std::isfinite(size) || !std::isfinite(moved)) return std::nullopt;
    if (moved <= 1e-15 * size) return y;
    if (step > 10 && moved <= 1e-12 * size) return y;  // rounding keeps it moving
  }
  return std::nullopt;
}

// By roots until the matrix is near the identity, and 2·artanh((A − I)·(A + I)⁻¹) as a series; nothing where a root
// is not found.
template <class S>
std::optional<Dense<S>> LogarithmOf(Dense<S> a) {
  constexpr int kMostRoots = 60;
  constexpr double kNear = 0.25;
  const Dense<S> one = Identity<S>(a.rows);
  double factor = 2;
  for (int roots = 0; !(LargestSum(a - one) < kNear); ++roots, factor *= 2) {
    const std::optional<Dense<S>> root = roots < kMostRoots ? SquareRootOf(a) : std::nullopt;
    if (!root) return std::nullopt;
    a = *root;
  }
  const Dense<S> x = (a - one) * InverseOf(a + one), square = x * x;
  Dense<S> power = x, sum = x;
  for (int k = 3; LargestSum(power) > 0 && k < 41; k += 2) {
    power = power * square;
    sum = sum + S(1.0 / k) * power;
  }
  return S(factor) * sum;
}

// f{A E; 0 A} has f(A) on its diagonal, and beside it the derivative of f at A in the direction E.
template <class S, class F>
std::optional<Dense<S>> DerivativeAlong(const Dense<S>& a, const Dense<S>& direction, F f) {
  const int64_t n = a.rows;
  Dense<S> both(2 * n, 2 * n);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      both(i, j) = both(n + i, n + j) = a(i, j);
      both(i, n + j) = direction(i, j);
    }
  }
  const std::optional<Dense<S>> result = f(both);
  if (!result) return std::nullopt;
  Dense<S> derivative(n, n);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) derivative(i, j) = (*result)(i, n + j);
  }
  return derivative;
}

// How far f(A + δA) may be from f(A) for |δA| ≤ `moved`: twice the first-order term stands for the higher ones;
// infinite where f is not smooth enough to have one.
template <class S, class F>
Sizes FunctionError(const Dense<S>& a, const Sizes& moved, F f) {
  const int64_t n = a.rows;
  Sizes error(n, n);
  const double largest = Largest(moved);
  for (int64_t k = 0; k < n * n && largest > 0; ++k) {
    Dense<S> direction(n, n);
    // In the size of A, so that both halves are computed alike.
    const double size = LargestSum(a) > 0 ? LargestSum(a) : 1;
    direction.at[static_cast<size_t>(k)] = size;
    const std::optional<Dense<S>> derivative = DerivativeAlong(a, direction, f);
    for (int64_t i = 0; i < n * n; ++i) {
      const auto at = static_cast<size_t>(i);
      const double part =
          derivative ? std::abs(derivative->at[at]) / size * moved.at[static_cast<size_t>(k)] : INFINITY;
      error.at[at] += std::isnan(part) ? INFINITY : 2 * part;
    }
  }
  return error;
}

}  // namespace plumb::reference
