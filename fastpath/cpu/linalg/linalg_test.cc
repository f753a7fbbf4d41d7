#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Doubles = std::vector<double>;

// Two matrices with inverses of whole numbers, and one without an inverse.
const Tensor kMatrices = MakeTensor<double>({2, 2, 2}, {1, 0, 2, 1, 2, 0, 0, 4});
const Tensor kSingular = MakeTensor<double>({2, 2}, {1, 2, 2, 4});

TEST(Linalg, SolvesEachSystemOfABatch) {
  const Tensor sides = MakeTensor<double>({2, 2, 1}, {1, 5, 6, 8});
  EXPECT_EQ(Values<double>(RunKernel1("MatrixSolve", {kMatrices, sides}, {{"adjoint", false}})), Doubles({1, 3, 3, 2}));
  EXPECT_EQ(Values<double>(RunKernel1("MatrixSolve", {kMatrices, sides}, {{"adjoint", true}})), Doubles({-9, 5, 3, 2}));
  EXPECT_EQ(Values<double>(RunKernel1("MatrixInverse", {kMatrices}, {{"adjoint", false}})),
            Doubles({1, 0, -2, 1, 0.5, 0, 0, 0.25}));
}

// L is {2, 0, 0; 1, 1, 0; 0, 3, 4}. Its bands are rows that end where L's rows do, those of its transpose rows that
// begin there; the 9 is no element of either.
TEST(Linalg, SolvesWithBandsOfATriangle) {
  const Tensor lower = MakeTensor<double>({2, 3}, {2, 1, 4, 9, 1, 3});
  const Tensor upper = MakeTensor<double>({2, 3}, {1, 3, 9, 2, 1, 4}), side = MakeTensor<double>({3, 1}, {2, 3, 14});
  const auto solved = [&](const Tensor& bands, bool is_lower, bool adjoint) {
    const AttrMap attrs = {{"lower", is_lower}, {"adjoint", adjoint}};
    return Values<double>(RunKernel1("BandedTriangularSolve", {bands, side}, attrs));
  };
  EXPECT_EQ(solved(lower, true, false), Doubles({1, 2, 2}));
  EXPECT_EQ(solved(upper, false, true), Doubles({1, 2, 2}));
  EXPECT_EQ(solved(lower, true, true), Doubles({4.75, -7.5, 3.5}));
  EXPECT_EQ(solved(upper, false, false), Doubles({4.75, -7.5, 3.5}));
  const AttrMap attrs = {{"lower", true}, {"adjoint", false}};
  for (const Shape& shape : {Shape{4, 3}, Shape{0, 3}, Shape{2, 2}, Shape{3}}) {
    EXPECT_EQ(CodeOfKernel("BandedTriangularSolve", {Zeros(DType::kDouble, shape), side}, attrs),
              Code::kInvalidArgument)
        << shape.ToString();
  }
}

TEST(Linalg, RefusesSingularMatrices) {
  EXPECT_EQ(CodeOfKernel("MatrixInverse", {kSingular}, {{"adjoint", false}}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MatrixSolve", {kSingular, kSingular}, {{"adjoint", false}}), Code::kInvalidArgument);
}

// TensorFlow looks at no diagonal before it substitutes (MatrixTriangularSolveOp).
TEST(Linalg, SubstitutionDividesByZero) {
  const Tensor triangle = MakeTensor<double>({2, 2}, {0, 0, 2, 1}), side = MakeTensor<double>({2, 1}, {1, 3});
  const AttrMap lower = {{"lower", true}, {"adjoint", false}};
  EXPECT_EQ(Values<double>(RunKernel1("MatrixTriangularSolve", {triangle, side}, lower)),
            Doubles({INFINITY, -INFINITY}));
}

TEST(Linalg, NotANumberStandsWhereThereIsNoFactor) {
  const auto factor = Values<double>(RunKernel1("Cholesky", {MakeTensor<double>({2, 2}, {1, 2, 2, 1})}));
  EXPECT_TRUE(std::isnan(factor[0]) && std::isnan(factor[2]) && std::isnan(factor[3]));
  EXPECT_EQ(factor[1], 0);
}

TEST(Linalg, AComplexMatrixWithoutAFactorHasZeros) {  // as TensorFlow answers
  using Complex = std::complex<float>;
  const Tensor matrix = MakeTensor<Complex>({2, 2}, {Complex(4), Complex(3, 4), Complex(3, 4), Complex(4)});
  for (const Complex& x : Values<Complex>(RunKernel1("Cholesky", {matrix}))) EXPECT_EQ(x, Complex());
}

TEST(Linalg, ADeterminantOfNothingIsOne) {
  EXPECT_EQ(Values<double>(RunKernel1("MatrixDeterminant", {Tensor(DType::kDouble, {2, 0, 0})})), Doubles({1, 1}));
  EXPECT_EQ(Values<double>(RunKernel1("MatrixDeterminant", {kSingular})), Doubles({0}));
}

TEST(Linalg, SubstitutionReadsOneTriangle) {
  const Tensor triangle = MakeTensor<double>({2, 2}, {2, NAN, 1, 1}), side = MakeTensor<double>({2, 1}, {4, 5});
  const AttrMap lower = {{"lower", true}, {"adjoint", false}};
  EXPECT_EQ(Values<double>(RunKernel1("MatrixTriangularSolve", {triangle, side}, lower)), Doubles({2, 3}));
}

TEST(Linalg, TridiagonalEquationsExchangeRowsWhereThatHelps) {
  const Tensor diagonals = MakeTensor<double>({3, 3}, {1, 2, 0, 0, 1, 1, 0, 1, 1});  // {0 1 0} {1 1 2} {0 1 1}
  const Tensor sides = MakeTensor<double>({3, 1}, {2, 9, 5});
  const AttrMap pivoting = {{"partial_pivoting", true}, {"perturb_singular", false}};
  EXPECT_EQ(Values<double>(RunKernel1("TridiagonalSolve", {diagonals, sides}, pivoting)), Doubles({1, 2, 3}));
  const AttrMap in_order = {{"partial_pivoting", false}, {"perturb_singular", false}};
  for (const double x : Values<double>(RunKernel1("TridiagonalSolve", {diagonals, sides}, in_order))) {
    EXPECT_TRUE(std::isnan(x));
  }
}

// What TensorFlow 2.12.1 answers: {0 1 0} {1 0 1} {0 1 0}, whose last pivot of zero is moved by 2⁻⁵².
TEST(Linalg, TridiagonalEquationsThatAreSingularArePerturbed) {
  const Tensor diagonals = MakeTensor<double>({3, 3}, {1, 1, 0, 0, 0, 0, 0, 1, 1});
  const Tensor sides = MakeTensor<double>({3, 1}, {1, 2, 3});
  const AttrMap perturbed = {{"partial_pivoting", true}, {"perturb_singular", true}};
  EXPECT_EQ(Values<double>(RunKernel1("TridiagonalSolve", {diagonals, sides}, perturbed))[0], -0x1p53 + 2);
  const Tensor zero = MakeTensor<float>({3, 1}, {0, 0, 0}), side = MakeTensor<float>({1, 1}, {1});
  EXPECT_EQ(Values<float>(RunKernel1("TridiagonalSolve", {zero, side}, perturbed))[0], 0x1p126F);
}

TEST(Linalg, BandedEquationsNeedPivots) {
  const auto code = [](std::initializer_list<double> diagonal) {
    const Tensor band = MakeTensor<double>({1, 3}, diagonal);
    return CodeOfKernel("BandedTriangularSolve", {band, Zeros(DType::kDouble, {3, 1})},
                        {{"lower", true}, {"adjoint", false}});
  };
  EXPECT_EQ(code({1, 2, 3}), Code::kOk);
  EXPECT_EQ(code({1, 0, 3}), Code::kInvalidArgument);
  EXPECT_EQ(code({NAN, 2, 3}), Code::kInvalidArgument);
  EXPECT_EQ(code({1, NAN, 3}), Code::kOk) << "TensorFlow finds the smallest without it";
}

TEST(Linalg, TridiagonalEquationsOfComplexNumbersWithoutSolutionsAreZero) {  // as TensorFlow answers
  using Complex = std::complex<float>;
  const Tensor diagonals = MakeTensor<Complex>({3, 1}, {1, 0, 1}), side = MakeTensor<Complex>({1, 1}, {Complex(1, 2)});
  for (const bool pivoting : {false, true}) {
    const AttrMap attrs = {{"partial_pivoting", pivoting}, {"perturb_singular", false}};
    EXPECT_EQ(Values<Complex>(RunKernel1("TridiagonalSolve", {diagonals, side}, attrs))[0], Complex());
  }
}

TEST(Linalg, ATridiagonalProductLeavesOutWhatIsOutside) {
  const Tensor above = MakeTensor<double>({1, 3}, {1, 2, NAN}), below = MakeTensor<double>({1, 3}, {NAN, 3, 4});
  const Tensor diagonal = MakeTensor<double>({1, 3}, {5, 6, 7}), x = MakeTensor<double>({3, 1}, {1, 10, 100});
  EXPECT_EQ(Values<double>(RunKernel1("TridiagonalMatMul", {above, diagonal, below, x})), Doubles({15, 263, 740}));
}

void ExpectAlmost(const Tensor& actual, const Doubles& expected) {
  const Doubles values = Values<double>(actual);
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_DOUBLE_EQ(values[i], expected[i]) << i;
}

TEST(Linalg, EigenvaluesAscendAndReadTheLowerTriangle) {
  const Tensor matrix = MakeTensor<double>({2, 2}, {2, NAN, 1, 2});
  const AttrMap with = {{"compute_v", true}}, without = {{"compute_v", false}};
  ExpectAlmost(RunKernel("SelfAdjointEigV2", {matrix}, with)[0], {1, 3});
  EXPECT_EQ(RunKernel("SelfAdjointEigV2", {matrix}, without)[1].shape(), Shape({0}));
  EXPECT_EQ(CodeOfKernel("SelfAdjointEigV2", {MakeTensor<double>({2, 2}, {2, 0, NAN, 2})}, with),
            Code::kInvalidArgument);
}

TEST(Linalg, SingularValuesDescend) {
  const AttrMap thin = {{"compute_uv", true}, {"full_matrices", false}};
  const AttrMap full = {{"compute_uv", true}, {"full_matrices", true}};
  const Tensor matrix = MakeTensor<double>({2, 3}, {3, 0, 0, 0, -4, 0});
  ExpectAlmost(RunKernel("Svd", {matrix}, thin)[0], {4, 3});
  EXPECT_EQ(RunKernel("Svd", {matrix}, thin)[2].shape(), Shape({3, 2}));
  EXPECT_EQ(RunKernel("Svd", {matrix}, full)[2].shape(), Shape({3, 3}));
  EXPECT_EQ(Values<double>(RunKernel("Svd", {Tensor(DType::kDouble, {0, 2})}, full)[2]), Doubles({1, 0, 0, 1}));
  EXPECT_TRUE(std::isnan(Values<double>(RunKernel("Svd", {MakeTensor<double>({1, 1}, {INFINITY})}, thin)[0])[0]));
}

TEST(Linalg, FactorsNameTheRowsThatTheyWereTakenFrom) {
  const Tensor matrix = MakeTensor<double>({3, 3}, {0, 1, 2, 0, 0, 4, 2, 3, 1});
  const auto factors = RunKernel("Lu", {matrix}, {{"output_idx_type", DType::kInt32}});
  EXPECT_EQ(Values<double>(factors[0]), Doubles({2, 3, 1, 0, 1, 2, 0, 0, 4}));
  EXPECT_EQ(Values<int32_t>(factors[1]), std::vector<int32_t>({2, 0, 1}));
  EXPECT_EQ(CodeOfKernel("Lu", {kSingular}, {{"output_idx_type", DType::kInt32}}), Code::kInvalidArgument);
}

TEST(Linalg, ReflectionsTurnTheSignOfTheDiagonal) {
  const auto factors = RunKernel("Qr", {MakeTensor<double>({2, 1}, {3, 4})}, {{"full_matrices", false}});
  ExpectAlmost(factors[0], {-0.6, -0.8});
  ExpectAlmost(factors[1], {-5});
}

}  // namespace
}  // namespace plumb::fast::cpu
