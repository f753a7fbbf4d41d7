// Ops by the names that they had when TensorFlow told batches of matrices from single ones.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Doubles = std::vector<double>;
constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;

// Their inverses are whole numbers and powers of two.
const Tensor kMatrices = MakeTensor<double>({2, 2, 2}, {1, 0, 2, 1, 2, 0, 0, 4});
const Tensor kSides = MakeTensor<double>({2, 2, 1}, {1, 5, 6, 8});

TEST(OlderNames, Solve) {
  const AttrMap plain = {{"adjoint", false}}, adjoint = {{"adjoint", true}};
  const AttrMap lower = {{"lower", true}, {"adjoint", false}}, upper = {{"lower", false}, {"adjoint", false}};
  EXPECT_EQ(Values<double>(RunKernel1("BatchMatrixSolve", {kMatrices, kSides}, plain)), Doubles({1, 3, 3, 2}));
  EXPECT_EQ(Values<double>(RunKernel1("BatchMatrixSolve", {kMatrices, kSides}, adjoint)), Doubles({-9, 5, 3, 2}));
  EXPECT_EQ(Values<double>(RunKernel1("BatchMatrixInverse", {kMatrices}, plain)),
            Doubles({1, 0, -2, 1, 0.5, 0, 0, 0.25}));
  EXPECT_EQ(Values<double>(RunKernel1("BatchMatrixTriangularSolve", {kMatrices, kSides}, lower)),
            Doubles({1, 3, 3, 2}));
  EXPECT_EQ(Values<double>(RunKernel1("BatchMatrixTriangularSolve", {kMatrices, kSides}, upper)),
            Doubles({1, 5, 3, 2}));
  EXPECT_EQ(CodeOfKernel("BatchMatrixInverse", {MakeTensor<double>({1, 2, 2}, {1, 2, 2, 4})}, plain),
            Code::kInvalidArgument);
}

// The normal equations of the columns {1, 1} and {1, −1} are {2 0; 0 2}·X = {8; −2}.
TEST(OlderNames, FitLeastSquares) {
  const Tensor columns = MakeTensor<double>({1, 2, 2}, {1, 1, 1, -1}), sides = MakeTensor<double>({1, 2, 1}, {3, 5});
  const AttrMap fast = {{"fast", true}};
  const auto fitted = [&](double weight) {
    return Values<double>(RunKernel1("BatchMatrixSolveLs", {columns, sides, MakeScalar(weight)}, fast));
  };
  EXPECT_DOUBLE_EQ(fitted(0)[0], 4);
  EXPECT_DOUBLE_EQ(fitted(0)[1], -1);
  EXPECT_DOUBLE_EQ(fitted(2)[0], 2);
  EXPECT_DOUBLE_EQ(fitted(2)[1], -0.5);
}

TEST(OlderNames, FactorAndMeasure) {
  const auto volumes = Values<double>(RunKernel1("BatchMatrixDeterminant", {kMatrices}));
  ASSERT_EQ(volumes.size(), 2u);
  EXPECT_DOUBLE_EQ(volumes[0], 1);
  EXPECT_DOUBLE_EQ(volumes[1], 8);
  EXPECT_EQ(Values<double>(RunKernel1("BatchCholesky", {MakeTensor<double>({1, 2, 2}, {4, NAN, 2, 5})})),
            Doubles({2, 0, 1, 2}));
}

// Lᵀ·dL is {4 3; 4 6}, of which Φ leaves {2 0; 4 3}; the 9s are above the diagonals.
TEST(OlderNames, DifferentiateAFactor) {
  const Tensor factor = MakeTensor<double>({1, 2, 2}, {2, 9, 1, 2}),
               gradient = MakeTensor<double>({1, 2, 2}, {1, 9, 2, 3});
  const Doubles expected = {0.1875, 0.125, 0.125, 0.75};
  EXPECT_EQ(Values<double>(RunKernel1("BatchCholeskyGrad", {factor, gradient})), expected);
  EXPECT_EQ(Values<double>(RunKernel1("CholeskyGrad", {factor, gradient})), expected);
  EXPECT_EQ(CodeOfKernel("CholeskyGrad", {factor, kMatrices}), Code::kInvalidArgument);
}

// {2 1; 1 2} stretches (1, −1) by 1 and (1, 1) by 3; its upper triangle is not read. What is found is the spectrum of a
// matrix that is off by n·u·‖A‖ (Golub and Van Loan, section 8.7): values move by no more than that, vectors by as much
// as it is of the gap between the values, and each number is rounded.
TEST(OlderNames, DecomposeHermitianMatrices) {
  const double backward = 2 * kUnit * std::sqrt(10.0), gap = 3 - 1, value_limit = backward + 3 * kUnit,
               vector_limit = backward / gap + kUnit;
  const Tensor matrix = MakeTensor<double>({1, 2, 2}, {2, NAN, 1, 2});
  const auto values = Values<double>(RunKernel("BatchSelfAdjointEigV2", {matrix}, {{"compute_v", true}})[0]);
  EXPECT_NEAR(values[0], 1, value_limit);
  EXPECT_NEAR(values[1], 3, value_limit);
  for (const Tensor& both : {RunKernel1("BatchSelfAdjointEig", {matrix}), RunKernel1("SelfAdjointEig", {matrix})}) {
    ASSERT_EQ(both.shape(), Shape({1, 3, 2}));
    const auto rows = Values<double>(both);
    EXPECT_NEAR(rows[0], 1, value_limit);
    EXPECT_NEAR(rows[1], 3, value_limit);
    EXPECT_NEAR(rows[2] + rows[4], 0, 2 * vector_limit);
    EXPECT_NEAR(rows[3] - rows[5], 0, 2 * vector_limit);
    EXPECT_NEAR(std::fabs(rows[2]), std::sqrt(0.5), vector_limit);
    EXPECT_NEAR(std::fabs(rows[3]), std::sqrt(0.5), vector_limit);
  }
  EXPECT_EQ(RunKernel1("SelfAdjointEig", {Tensor(DType::kDouble, {2, 0, 0})}).shape(), Shape({2, 1, 0}));
  EXPECT_EQ(CodeOfKernel("SelfAdjointEig", {MakeTensor<double>({2, 2}, {2, 0, NAN, 2})}), Code::kInvalidArgument);
}

// Of the powers of {0 1; 0 0} the first two are not zero. A matrix that turns by an angle has the turn for its
// exponential: π is half a turn, which is made of eight equal ones of less than a half. In it each error of one of
// these is eight times as large: of two sums of powers, which fall, so that a product and a sum count, and of a
// solution.
TEST(OlderNames, RaiseToAPower) {
  EXPECT_EQ(Values<double>(RunKernel1("MatrixExponential", {MakeTensor<double>({2, 2}, {0, 1, 0, 0})})),
            Doubles({1, 1, 0, 1}));
  const auto turned =
      Values<double>(RunKernel1("MatrixExponential", {MakeTensor<double>({2, 2}, {0, -M_PI, M_PI, 0})}));
  const Doubles half = {-1, 0, 0, -1};
  constexpr int kParts = 8, kRows = 2, kSums = 2 * 2 * (kRows + 1), kSolution = 3 * kRows;
  constexpr double kLimit = kParts * (kSums + kSolution) * kUnit;
  for (size_t i = 0; i < half.size(); ++i) EXPECT_NEAR(turned[i], half[i], kLimit);
  EXPECT_TRUE(std::isnan(Values<double>(RunKernel1("MatrixExponential", {MakeTensor<double>({1, 1}, {NAN})}))[0]));
}

TEST(OlderNames, FindSingularValues) {
  const AttrMap thin = {{"compute_uv", true}, {"full_matrices", false}};
  const auto factors = RunKernel("BatchSvd", {MakeTensor<double>({1, 2, 3}, {3, 0, 0, 0, -4, 0})}, thin);
  const auto values = Values<double>(factors[0]);
  ASSERT_EQ(factors[0].shape(), Shape({1, 2}));
  EXPECT_DOUBLE_EQ(values[0], 4);
  EXPECT_DOUBLE_EQ(values[1], 3);
  EXPECT_EQ(factors[1].shape(), Shape({1, 2, 2}));
  EXPECT_EQ(factors[2].shape(), Shape({1, 3, 2}));
}

}  // namespace
}  // namespace plumb::fast::cpu
