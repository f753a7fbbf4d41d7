#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "reference/ops/lib/dense/schur.h"

namespace plumb::reference {
namespace {

using Number = std::complex<double>;

ComplexMatrix Matrix(int64_t n, const std::vector<Number>& elements) {
  ComplexMatrix a(n, n);
  a.at = elements;
  return a;
}

constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

// Steps with unitary matrices are stable backwards: what they find is the spectrum of A + E, ‖E‖ of the order of
// n·u·‖A‖ (Golub and Van Loan, section 7.5.6).
double BackwardError(const ComplexMatrix& a) {
  return static_cast<double>(a.rows) * kUnit * FrobeniusNorm(Magnitudes(a));
}

// How much further than ‖E‖ an eigenvalue moves, by its left and its right vector (Wilkinson): ‖y‖·‖x‖ / |yᵀx|.
double Condition(const std::vector<double>& left, const std::vector<double>& right) {
  const auto product = [](const auto& x, const auto& y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
  };
  return std::sqrt(product(left, left) * product(right, right)) / std::abs(product(left, right));
}

// The polynomial x³ − 6x² + 11x − 6 has the roots 1, 2, 3; its companion's right vectors are (1, x, x²), its left ones
// the coefficients of the polynomial without the root.
TEST(GeneralEigen, TheValuesOfACompanionAreRoots) {
  const ComplexMatrix a = Matrix(3, {0, 1, 0, 0, 0, 1, 6, -11, 6});
  const GeneralSpectrum spectrum(a);
  ASSERT_TRUE(spectrum.converged);
  const std::vector<std::vector<double>> left = {{6, -5, 1}, {3, -4, 1}, {2, -3, 1}};
  for (int64_t k = 0; k < 3; ++k) {
    const double root = static_cast<double>(k + 1);
    const double moved = BackwardError(a) * Condition(left[static_cast<size_t>(k)], {1, root, root * root});
    EXPECT_NEAR(std::abs(spectrum.values[static_cast<size_t>(k)] - root), 0, moved);
    // A's rows say that each component is the value times the one before, up to E's rows times a unit vector.
    const Number first = spectrum.vectors(0, k), second = spectrum.vectors(1, k), third = spectrum.vectors(2, k);
    EXPECT_NEAR(std::abs(second - root * first), 0, moved * std::abs(first) + BackwardError(a));
    EXPECT_NEAR(std::abs(third - root * second), 0, moved * std::abs(second) + BackwardError(a));
    // The norm of n numbers takes 2n roundings: once to divide by it, once here.
    EXPECT_NEAR(ColumnNorm(spectrum.vectors, k), 1, 2 * 2 * 3 * kUnit);
  }
}

// The vectors of a normal matrix are at right angles: its eigenvalues move by ‖E‖ at most.
TEST(GeneralEigen, AnExchangeInACircleHasRootsOfOne) {
  const ComplexMatrix a = Matrix(4, {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0});
  const GeneralSpectrum spectrum(a);
  ASSERT_TRUE(spectrum.converged);
  // Of a sum or a product of four such values, each of which is joined to the others by four roundings at most.
  const double near = 4 * (BackwardError(a) + 4 * kUnit);
  Number sum = 0, product = 1;
  for (const Number value : spectrum.values) {
    const Number square = value * value;
    EXPECT_NEAR(std::abs(square * square - 1.0), 0, near);
    sum += value;
    product *= value;
  }
  EXPECT_NEAR(std::abs(sum), 0, near);
  EXPECT_NEAR(std::abs(product + 1.0), 0, near);
}

// A value that is there twice, with one vector. A triangle is turned no further; what is rounded is the division by the
// largest element and the product with it.
TEST(GeneralEigen, ADefectiveMatrixHasItsValuesStill) {
  const Number twice(2, 1);
  const GeneralSpectrum spectrum(Matrix(2, {twice, 1, 0, twice}));
  ASSERT_TRUE(spectrum.converged);
  for (const Number value : spectrum.values) EXPECT_NEAR(std::abs(value - twice), 0, 2 * kUnit * std::abs(twice));
}

}  // namespace
}  // namespace plumb::reference
