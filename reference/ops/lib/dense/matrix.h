// Matrices of plain numbers and what textbooks do with them: products, elimination, substitution. Values, errors and
// derivatives of a decomposition follow from these by different formulas, so that they are held apart here.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "reference/numbers/numbers_io.h"

namespace plumb::reference {

template <class S>
struct Dense {
  int64_t rows = 0, columns = 0;
  std::vector<S> at;

  Dense() = default;
  Dense(int64_t rows, int64_t columns) : rows(rows), columns(columns), at(static_cast<size_t>(rows * columns)) {}
  S& operator()(int64_t i, int64_t j) { return at[static_cast<size_t>(i * columns + j)]; }
  const S& operator()(int64_t i, int64_t j) const { return at[static_cast<size_t>(i * columns + j)]; }
};
using Sizes = Dense<double>;  // magnitudes

inline double Conjugated(double x) { return x; }
inline std::complex<double> Conjugated(std::complex<double> x) { return std::conj(x); }

template <class S>
Dense<S> Identity(int64_t n) {
  Dense<S> identity(n, n);
  for (int64_t i = 0; i < n; ++i) identity(i, i) = 1;
  return identity;
}
template <class S>
Dense<S> Adjoint(const Dense<S>& a) {
  Dense<S> adjoint(a.columns, a.rows);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < a.columns; ++j) adjoint(j, i) = Conjugated(a(i, j));
  }
  return adjoint;
}
template <class S>
Sizes Magnitudes(const Dense<S>& a) {
  Sizes sizes(a.rows, a.columns);
  std::transform(a.at.begin(), a.at.end(), sizes.at.begin(), [](S x) { return std::abs(x); });
  return sizes;
}
template <class S>
Dense<S> operator*(const Dense<S>& a, const Dense<S>& b) {
  Dense<S> product(a.rows, b.columns);
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t k = 0; k < a.columns; ++k) {
      for (int64_t j = 0; j < b.columns; ++j) product(i, j) += a(i, k) * b(k, j);
    }
  }
  return product;
}
template <class S>
Dense<S> operator*(S factor, Dense<S> a) {
  for (S& x : a.at) x *= factor;
  return a;
}
template <class S>
Dense<S> operator+(Dense<S> a, const Dense<S>& b) {
  for (size_t i = 0; i < a.at.size(); ++i) a.at[i] += b.at[i];
  return a;
}
template <class S>
Dense<S> operator-(Dense<S> a, const Dense<S>& b) {
  for (size_t i = 0; i < a.at.size(); ++i) a.at[i] -= b.at[i];
  return a;
}
// The lower or upper triangle, with the diagonal; zeros elsewhere.
template <class S>
Dense<S> Triangle(Dense<S> a, bool lower) {
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < a.columns; ++j) {
      if (lower ? j > i : j < i) a(i, j) = 0;
    }
  }
  return a;
}

// P·A = L·U by Gaussian elimination with partial pivoting; L has ones on its diagonal.
template <class S>
struct Elimination {
  Dense<S> l, u;
  std::vector<int64_t> order;  // row i of P·A is row order[i] of A
  bool odd = false;            // whether P is an odd permutation

  explicit Elimination(const Dense<S>& a) : l(Identity<S>(a.rows)), u(a), order(static_cast<size_t>(a.rows)) {
    const int64_t n = a.rows;
    for (int64_t i = 0; i < n; ++i) order[static_cast<size_t>(i)] = i;
    for (int64_t k = 0; k < n; ++k) {
      Exchange(k, PivotOf(k));
      for (int64_t i = k + 1; i < n && u(k, k) != S(0); ++i) {
        l(i, k) = u(i, k) / u(k, k);
        u(i, k) = 0;
        for (int64_t j = k + 1; j < n; ++j) u(i, j) -= l(i, k) * u(k, j);
      }
    }
  }

  // Whether the smallest pivot is not above zero, where one that is no number counts only if it comes first: it is not
  // above zero, and no later one is below it.
  bool IsSingular() const {
    for (int64_t i = 0; i < u.rows; ++i) {
      if (u(i, i) == S(0)) return true;
    }
    return u.rows > 0 && std::isnan(std::abs(u(0, 0)));
  }
  // X with A·X = B.
  Dense<S> Solved(const Dense<S>& b) const {
    Dense<S> x(b.rows, b.columns);
    for (int64_t i = 0; i < b.rows; ++i) {
      for (int64_t j = 0; j < b.columns; ++j) x(i, j) = b(order[static_cast<size_t>(i)], j);
    }
    return Substituted(u, false, Substituted(l, true, x));
  }
  // |L|·|U|, in the order of A's rows.
  Sizes FactorSizes() const {
    const Sizes product = Magnitudes(l) * Magnitudes(u);
    Sizes sizes(u.rows, u.rows);
    for (int64_t i = 0; i < u.rows; ++i) {
      for (int64_t j = 0; j < u.rows; ++j) sizes(order[static_cast<size_t>(i)], j) = product(i, j);
    }
    return sizes;
  }
  // X with T·X = B for a triangle T.
  static Dense<S> Substituted(const Dense<S>& t, bool lower, Dense<S> x) {
    const int64_t n = t.rows;
    for (int64_t step = 0; step < n; ++step) {
      const int64_t i = lower ? step : n - 1 - step;
      for (int64_t j = 0; j < x.columns; ++j) {
        for (int64_t k = lower ? 0 : i + 1; k < (lower ? i : n); ++k) x(i, j) -= t(i, k) * x(k, j);
        x(i, j) /= t(i, i);
      }
    }
    return x;
  }

 private:
  // The largest in column k, the first of equals.
  int64_t PivotOf(int64_t k) const {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < u.rows; ++i) {
      if (std::abs(u(i, k)) > std::abs(u(pivot, k))) pivot = i;
    }
    return pivot;
  }
  void Exchange(int64_t i, int64_t j) {
    if (i == j) return;
    odd = !odd;
    std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(j)]);
    for (int64_t k = 0; k < u.columns; ++k) std::swap(u(i, k), u(j, k));
    for (int64_t k = 0; k < std::min(i, j); ++k) std::swap(l(i, k), l(j, k));
  }
};

// γₖ = k·u/(1−k·u) for the arithmetic of this thread; a step of complex arithmetic (a quotient, at worst) errs by
// eight units at most.
template <class S>
double Gamma(int64_t steps) {
  const double nu = static_cast<double>(steps) * arithmetic.unit * (std::is_same_v<S, double> ? 1 : 8);
  return nu < 1 ? nu / (1 - nu) : INFINITY;
}

inline double Largest(const Sizes& sizes) {
  double largest = 0;
  for (const double size : sizes.at) largest = std::isnan(size) ? NAN : std::max(largest, size);
  return largest;
}
inline double LargestRowSum(const Sizes& sizes) {
  double largest = 0;
  for (int64_t i = 0; i < sizes.rows; ++i) {
    double sum = 0;
    for (int64_t j = 0; j < sizes.columns; ++j) sum += sizes(i, j);
    largest = std::isnan(sum) ? NAN : std::max(largest, sum);
  }
  return largest;
}

// How far x̂ may be from the solution X of A·X = B when (A + δA)·x̂ = B + δB with |δA| ≤ `matrix`, |δB| ≤ `right`,
// element by element. x̂ − X = A⁻¹(δB − δA·x̂), so that the error d is at most g + G·d, with G = |A⁻¹|·|δA| and g = G·|X|
// + |A⁻¹|·|δB|. For ρ = ‖G‖∞ < 1 this gives ‖d‖ ≤ ‖g‖/(1−ρ) and d ≤ g + ρ‖g‖/(1−ρ); beyond, nothing is known.
inline Sizes SolutionError(const Sizes& inverse, const Sizes& matrix, const Sizes& solution, const Sizes& right) {
  const Sizes g = inverse * matrix;
  Sizes error = g * solution + inverse * right;
  const double rho = LargestRowSum(g);
  const bool known = rho < 1 && Largest(matrix) < arithmetic.largest && Largest(solution) < arithmetic.largest;
  for (int64_t j = 0; j < error.columns; ++j) {
    double worst = 0;
    for (int64_t i = 0; i < error.rows; ++i) worst = std::max(worst, error(i, j));
    for (int64_t i = 0; i < error.rows; ++i) error(i, j) = known ? error(i, j) + rho * worst / (1 - rho) : INFINITY;
  }
  return error;
}

}  // namespace plumb::reference
