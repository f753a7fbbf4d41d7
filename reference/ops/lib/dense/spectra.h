// Eigenvalues of Hermitian matrices and singular values, with their vectors, by Jacobi's rotations, and how far the
// results of other algorithms may be from them.
#pragma once

#include <numeric>

#include "reference/ops/lib/dense/matrix.h"

namespace plumb::reference {

inline double RealPart(double x) { return x; }
inline double RealPart(std::complex<double> z) { return z.real(); }

inline double FrobeniusNorm(const Sizes& a) {
  double norm = 0;
  for (const double size : a.at) norm = std::hypot(norm, size);
  return norm;
}
template <class S>
bool IsFinite(const Dense<S>& a) {
  return std::all_of(a.at.begin(), a.at.end(), [](S x) { return std::isfinite(std::abs(x)); });
}

// The lower triangle with its adjoint above it; the diagonal is taken for real.
template <class S>
Dense<S> HermitianOf(const Dense<S>& a) {
  Dense<S> hermitian(a.rows, a.columns);
  for (int64_t i = 0; i < a.rows; ++i) {
    hermitian(i, i) = RealPart(a(i, i));
    for (int64_t j = 0; j < i; ++j) {
      hermitian(i, j) = a(i, j);
      hermitian(j, i) = Conjugated(a(i, j));
    }
  }
  return hermitian;
}

// The unitary matrix of two rows that makes {app, apq; conj(apq), aqq} diagonal when it is multiplied from both sides.
template <class S>
struct Rotation {
  double c = 1, s = 0;
  S phase = 1;  // of apq

  Rotation(double app, S apq, double aqq) : phase(apq / std::abs(apq)) {
    const double slope = (aqq - app) / (2 * std::abs(apq));
    const double t = (slope < 0 ? -1 : 1) / (std::fabs(slope) + std::hypot(slope, 1.0));
    c = 1 / std::hypot(t, 1.0);
    s = t * c;
  }
  void TurnColumns(Dense<S>& a, int64_t p, int64_t q) const {
    for (int64_t i = 0; i < a.rows; ++i) {
      const S x = a(i, p), y = Conjugated(phase) * a(i, q);
      a(i, p) = c * x - s * y;
      a(i, q) = s * x + c * y;
    }
  }
};
constexpr int kMostSweeps = 80;  // Jacobi's method converges quadratically: ten are many

// The columns that `order` names, in its order.
template <class S>
Dense<S> ColumnsOf(const Dense<S>& a, const std::vector<int64_t>& order) {
  Dense<S> result(a.rows, static_cast<int64_t>(order.size()));
  for (int64_t i = 0; i < a.rows; ++i) {
    for (int64_t j = 0; j < result.columns; ++j) result(i, j) = a(i, order[static_cast<size_t>(j)]);
  }
  return result;
}
inline std::vector<int64_t> Ascending(const std::vector<double>& values) {
  std::vector<int64_t> order(values.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) {
    return values[static_cast<size_t>(i)] < values[static_cast<size_t>(j)];
  });
  return order;
}
inline double Largest(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

// A = V·diag(values)·Vᴴ for a finite Hermitian matrix, values ascending.
template <class S>
struct Spectrum {
  std::vector<double> values;
  Dense<S> vectors;

  explicit Spectrum(Dense<S> a) : vectors(Identity<S>(a.rows)) {
    const double largest = Largest(Magnitudes(a)), scale = largest > 0 ? largest : 1;
    for (S& x : a.at) x /= scale;
    for (int sweep = 0; sweep < kMostSweeps && Sweep(a); ++sweep) {
    }
    for (int64_t i = 0; i < a.rows; ++i) values.push_back(RealPart(a(i, i)) * scale);
    const std::vector<int64_t> order = Ascending(values);
    vectors = ColumnsOf(vectors, order);
    std::sort(values.begin(), values.end());
  }

 private:
  // Whether anything was left to rotate.
  bool Sweep(Dense<S>& a) {
    constexpr double kNothing = 1e-18;  // beside the largest element, 1
    bool rotated = false;
    for (int64_t p = 0; p < a.rows; ++p) {
      for (int64_t q = p + 1; q < a.rows; ++q) {
        if (std::abs(a(p, q)) <= kNothing) continue;
        const Rotation<S> rotation(RealPart(a(p, p)), a(p, q), RealPart(a(q, q)));
        rotation.TurnColumns(a, p, q);
        a = Adjoint(a);
        rotation.TurnColumns(a, p, q);
        rotation.TurnColumns(vectors, p, q);
        a(p, q) = a(q, p) = 0;
        rotated = true;
      }
    }
    return rotated;
  }
};

// x − its projection onto column `onto` of `basis`, in column `at`.
template <class S>
void ProjectOut(Dense<S>& basis, int64_t at, int64_t onto) {
  S overlap = 0;
  for (int64_t i = 0; i < basis.rows; ++i) overlap += Conjugated(basis(i, onto)) * basis(i, at);
  for (int64_t i = 0; i < basis.rows; ++i) basis(i, at) -= overlap * basis(i, onto);
}
template <class S>
double ColumnNorm(const Dense<S>& a, int64_t column) {
  double norm = 0;
  for (int64_t i = 0; i < a.rows; ++i) norm = std::hypot(norm, std::abs(a(i, column)));
  return norm;
}

// Puts unit vectors that are orthogonal to all others into the columns that are not `there`.
template <class S>
void CompleteBasis(Dense<S>& basis, std::vector<bool> there) {
  for (int64_t column = 0; column < basis.columns; ++column) {
    const auto place = static_cast<size_t>(column);
    for (int64_t unit = 0; unit < basis.rows && !there[place]; ++unit) {
      for (int64_t i = 0; i < basis.rows; ++i) basis(i, column) = i == unit ? 1 : 0;
      for (int64_t again = 0; again < 2; ++again) {
        for (int64_t j = 0; j < basis.columns; ++j) {
          if (there[static_cast<size_t>(j)]) ProjectOut(basis, column, j);
        }
      }
      const double norm = ColumnNorm(basis, column);
      there[place] = norm * norm * static_cast<double>(2 * basis.rows) > 1;  // one of the units has so much left
      for (int64_t i = 0; i < basis.rows; ++i) basis(i, column) /= norm;
    }
  }
}

// A = U·diag(values)·Vᴴ for a finite matrix, values descending; U and V have `left` and `right` columns, at least as
// many as there are values.
template <class S>
struct Singular {
  std::vector<double> values;
  Dense<S> u, v;

  Singular(const Dense<S>& a, int64_t left, int64_t right) {
    if (a.rows < a.columns) {
      Singular adjoint(Adjoint(a), right, left);
      values = std::move(adjoint.values);
      u = std::move(adjoint.v);
      v = std::move(adjoint.u);
    } else {
      Decompose(a, left);
    }
  }

 private:
  // One-sided rotations make the columns of A·V orthogonal; their lengths are the values.
  void Decompose(Dense<S> a, int64_t left) {
    const double largest = Largest(Magnitudes(a)), scale = largest > 0 ? largest : 1;
    for (S& x : a.at) x /= scale;
    v = Identity<S>(a.columns);
    for (int sweep = 0; sweep < kMostSweeps && Sweep(a); ++sweep) {
    }
    for (int64_t j = 0; j < a.columns; ++j) values.push_back(ColumnNorm(a, j));
    std::vector<int64_t> order = Ascending(values);
    std::reverse(order.begin(), order.end());
    std::sort(values.begin(), values.end(), std::greater<>());
    v = ColumnsOf(v, order);
    a = ColumnsOf(a, order);
    constexpr double kNothing = 1e-14;  // beside the largest value: such a column has no direction
    std::vector<bool> there(static_cast<size_t>(left));
    u = Dense<S>(a.rows, left);
    for (int64_t j = 0; j < a.columns; ++j) {
      const double value = values[static_cast<size_t>(j)];
      there[static_cast<size_t>(j)] = value > kNothing * values[0];
      for (int64_t i = 0; i < a.rows && value > 0; ++i) u(i, j) = a(i, j) / value;
    }
    CompleteBasis(u, std::move(there));
    for (double& value : values) value *= scale;
  }
  // Whether anything was left to rotate.
  bool Sweep(Dense<S>& a) {
    constexpr double kOrthogonal = 1e-16;  // cosine of the angle
    bool rotated = false;
    for (int64_t p = 0; p < a.columns; ++p) {
      for (int64_t q = p + 1; q < a.columns; ++q) {
        S overlap = 0;
        for (int64_t i = 0; i < a.rows; ++i) overlap += Conjugated(a(i, p)) * a(i, q);
        const double x = ColumnNorm(a, p), y = ColumnNorm(a, q);
        if (std::abs(overlap) <= kOrthogonal * x * y || std::abs(overlap) < 1e-290) continue;
        const Rotation<S> rotation(x * x, overlap, y * y);
        rotation.TurnColumns(a, p, q);
        rotation.TurnColumns(v, p, q);
        rotated = true;
      }
    }
    return rotated;
  }
};

// ---- Errors --------------------------------------------------------------------------------------------------------

// A backward stable algorithm finds the values of A + δA. Some tens of reflections and rotations meet each element for
// each row, and what is subnormal may be lost.
inline double SpectralError(const Sizes& a, const Sizes& error, double step) {
  const auto size = static_cast<double>(std::max(a.rows, a.columns));
  const double norm = FrobeniusNorm(a), own = step * norm + size * arithmetic.tiny;
  const bool overflows = !(size * norm < arithmetic.largest / 4);
  return overflows ? INFINITY : own + FrobeniusNorm(error);
}
template <class S>
double SpectralStep(int64_t rows, int64_t columns) {
  const int64_t n = std::max(rows, columns);
  return Gamma<S>(4 * n * n + 8 * n);
}

// How far the components of a unit vector may be from those of `vector`, when A moved by `moved` and the other values
// are `gap` away at least: the sine of the angle is moved/(gap − moved) at most (Davis and Kahan), and the distance of
// the vectors twice that at most. The number of absolute value one that such vectors may be multiplied with comes
// besides: it adds twice the component.
inline double ComponentError(double component, double moved, double gap) {
  const double sine = moved / (gap - moved);
  const double turned = gap > moved && sine < 0.5 ? 2 * sine : 1 + component;
  return std::min(turned, 1 + component) + 2 * component;
}

}  // namespace plumb::reference
