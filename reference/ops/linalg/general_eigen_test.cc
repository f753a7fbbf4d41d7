#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/ops/lib/dense_schur.h"

namespace plumb::reference {
namespace {

using Number = std::complex<double>;

ComplexMatrix Matrix(int64_t n, const std::vector<Number>& elements) {
  ComplexMatrix a(n, n);
  a.at = elements;
  return a;
}
// Of numbers about as large as 1, after some hundreds of roundings.
constexpr double kNear = 1000 * std::numeric_limits<double>::epsilon();

// The polynomial x³ − 6x² + 11x − 6 has the roots 1, 2, 3; its companion's vectors are (1, x, x²).
TEST(GeneralEigen, TheValuesOfACompanionAreRoots) {
  const GeneralSpectrum spectrum(Matrix(3, {0, 1, 0, 0, 0, 1, 6, -11, 6}));
  ASSERT_TRUE(spectrum.converged);
  for (int64_t k = 0; k < 3; ++k) {
    const double root = static_cast<double>(k + 1);
    EXPECT_NEAR(std::abs(spectrum.values[static_cast<size_t>(k)] - root), 0, kNear);
    EXPECT_NEAR(std::abs(spectrum.vectors(1, k) / spectrum.vectors(0, k) - root), 0, kNear);
    EXPECT_NEAR(std::abs(spectrum.vectors(2, k) / spectrum.vectors(0, k) - root * root), 0, kNear);
    EXPECT_NEAR(ColumnNorm(spectrum.vectors, k), 1, kNear);
  }
}

TEST(GeneralEigen, AnExchangeInACircleHasRootsOfOne) {
  const GeneralSpectrum spectrum(Matrix(4, {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0}));
  ASSERT_TRUE(spectrum.converged);
  Number sum = 0, product = 1;
  for (const Number value : spectrum.values) {
    EXPECT_NEAR(std::abs(std::pow(value, 4) - 1.0), 0, kNear);
    sum += value;
    product *= value;
  }
  EXPECT_NEAR(std::abs(sum), 0, kNear);
  EXPECT_NEAR(std::abs(product + 1.0), 0, kNear);
}

// A value that is there twice, with one vector.
TEST(GeneralEigen, ADefectiveMatrixHasItsValuesStill) {
  const GeneralSpectrum spectrum(Matrix(2, {Number(2, 1), 1, 0, Number(2, 1)}));
  ASSERT_TRUE(spectrum.converged);
  for (const Number value : spectrum.values) EXPECT_NEAR(std::abs(value - Number(2, 1)), 0, kNear);
}

}  // namespace
}  // namespace plumb::reference
