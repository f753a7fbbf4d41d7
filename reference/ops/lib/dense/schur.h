// Schur's form of a square matrix by shifted QR steps, and the eigenvalues and eigenvectors that it shows.
#pragma once

#include <complex>

#include "reference/ops/lib/dense/spectra.h"

namespace plumb::reference {

using ComplexMatrix = Dense<std::complex<double>>;

// The unitary matrix {c, s; −conj(s), c}, which takes (x, y) to (r, 0).
struct PlaneRotation {
  double c = 1;
  std::complex<double> s = 0;

  PlaneRotation(std::complex<double> x, std::complex<double> y) {
    const double size = std::abs(x), r = std::hypot(size, std::abs(y));
    if (r == 0) return;
    c = size / r;
    s = (size == 0 ? 1 : x / size) * std::conj(y) / r;
  }
  // From the left.
  void TurnRows(ComplexMatrix& a, int64_t p, int64_t q) const {
    for (int64_t j = 0; j < a.columns; ++j) {
      const auto x = a(p, j), y = a(q, j);
      a(p, j) = c * x + s * y;
      a(q, j) = c * y - std::conj(s) * x;
    }
  }
  // Its adjoint from the right.
  void TurnColumns(ComplexMatrix& a, int64_t p, int64_t q) const {
    for (int64_t i = 0; i < a.rows; ++i) {
      const auto x = a(i, p), y = a(i, q);
      a(i, p) = c * x + std::conj(s) * y;
      a(i, q) = c * y - s * x;
    }
  }
};

// A = U·T·Uᴴ for a finite matrix, T an upper triangle.
struct SchurForm {
  ComplexMatrix u, t;
  bool converged = true;

  explicit SchurForm(ComplexMatrix a) : u(Identity<std::complex<double>>(a.rows)), t(std::move(a)) {
    const double largest = Largest(Magnitudes(t)), scale = largest > 0 ? largest : 1;
    for (auto& x : t.at) x /= scale;
    ReduceToHessenberg();
    int64_t last = t.rows - 1;
    for (int64_t step = 1; last > 0 && converged; ++step) {
      const int64_t first = BlockEndingAt(last);
      if (first < last) QrStep(first, last, step % kStuck == 0 ? UnusualShift(last) : Shift(last));
      if (first == last) --last, step = 0;
      converged = step < kMostSteps;
    }
    t = Triangle(std::move(t), false);
    for (auto& x : t.at) x *= scale;
  }

 private:
  static constexpr int64_t kMostSteps = 300, kStuck = 10;  // for one eigenvalue; three are usual

  void Turn(const PlaneRotation& rotation, int64_t p, int64_t q) {
    rotation.TurnRows(t, p, q);
    rotation.TurnColumns(t, p, q);
    rotation.TurnColumns(u, p, q);
  }
  // Zeros below the first subdiagonal.
  void ReduceToHessenberg() {
    for (int64_t k = 0; k + 2 < t.rows; ++k) {
      for (int64_t i = t.rows - 1; i > k + 1; --i) {
        Turn(PlaneRotation(t(i - 1, k), t(i, k)), i - 1, i);
        t(i, k) = 0;
      }
    }
  }
  // Where the block begins that ends at `last`: above it the subdiagonal is as good as zero, beside the largest
  // element, 1.
  int64_t BlockEndingAt(int64_t last) {
    constexpr double kNothing = 1e-16, kLeast = 1e-20;
    int64_t first = last;
    while (first > 0) {
      const double beside = std::abs(t(first, first)) + std::abs(t(first - 1, first - 1));
      if (std::abs(t(first, first - 1)) <= kNothing * beside + kLeast) break;
      --first;
    }
    if (first > 0) t(first, first - 1) = 0;
    return first;
  }
  // Wilkinson's: the eigenvalue of the last two rows that is nearer to the last element.
  std::complex<double> Shift(int64_t last) const {
    const auto a = t(last - 1, last - 1), d = t(last, last);
    const auto half = (a - d) / 2.0, root = std::sqrt(half * half + t(last - 1, last) * t(last, last - 1));
    const auto one = half + root, other = half - root;
    return d + (std::abs(one) < std::abs(other) ? one : other);
  }
  std::complex<double> UnusualShift(int64_t last) const { return t(last, last) + std::abs(t(last, last - 1)); }

  // T − shift = Q·R in rows and columns first … last, then T = R·Q + shift.
  void QrStep(int64_t first, int64_t last, std::complex<double> shift) {
    for (int64_t i = first; i <= last; ++i) t(i, i) -= shift;
    std::vector<PlaneRotation> rotations;
    for (int64_t k = first; k < last; ++k) {
      rotations.emplace_back(t(k, k), t(k + 1, k));
      rotations.back().TurnRows(t, k, k + 1);
      t(k + 1, k) = 0;
    }
    for (int64_t k = first; k < last; ++k) {
      rotations[static_cast<size_t>(k - first)].TurnColumns(t, k, k + 1);
      rotations[static_cast<size_t>(k - first)].TurnColumns(u, k, k + 1);
    }
    for (int64_t i = first; i <= last; ++i) t(i, i) += shift;
  }
};

// x with (T − T(k, k))·x = 0 for an upper triangle T, as a column; a difference of nothing counts as one of a unit.
inline ComplexMatrix VectorOfTriangle(const ComplexMatrix& t, int64_t k, double unit) {
  constexpr double kLarge = 1e100;
  ComplexMatrix x(t.rows, 1);
  x(k, 0) = 1;
  for (int64_t i = k - 1; i >= 0; --i) {
    std::complex<double> rest = 0, difference = t(i, i) - t(k, k);
    for (int64_t j = i + 1; j <= k; ++j) rest += t(i, j) * x(j, 0);
    if (std::abs(difference) < unit) difference = unit;
    x(i, 0) = -rest / difference;
    const double size = std::abs(x(i, 0));
    for (int64_t j = i; j <= k && size > kLarge; ++j) x(j, 0) /= size;
  }
  return x;
}

// A·V = V·diag(values) with unit vectors, by ascending absolute values.
struct GeneralSpectrum {
  std::vector<std::complex<double>> values;
  ComplexMatrix vectors;
  bool converged = true;

  explicit GeneralSpectrum(const ComplexMatrix& a) : vectors(a.rows, a.rows) {
    const SchurForm schur(a);
    converged = schur.converged;
    const double norm = FrobeniusNorm(Magnitudes(schur.t)), unit = norm > 0 ? 1e-16 * norm : 1;
    std::vector<double> sizes;
    for (int64_t k = 0; k < a.rows; ++k) sizes.push_back(std::abs(schur.t(k, k)));
    int64_t column = 0;
    for (const int64_t k : Ascending(sizes)) {
      values.push_back(schur.t(k, k));
      const ComplexMatrix vector = schur.u * VectorOfTriangle(schur.t, k, unit);
      const double length = ColumnNorm(vector, 0);
      for (int64_t i = 0; i < a.rows; ++i) vectors(i, column) = vector(i, 0) / length;
      ++column;
    }
  }
};

}  // namespace plumb::reference
