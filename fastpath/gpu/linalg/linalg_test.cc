#include <algorithm>
#include <cmath>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

constexpr int64_t kMany = 40;  // rows that a block of eight warps takes

template <class F>
Tensor MatrixOf(int64_t rows, int64_t columns, const F& at) {
  Tensor matrix(DType::kFloat, Shape({rows, columns}));
  int64_t i = 0;
  for (float& x : matrix.mutable_data<float>()) {
    x = at(i / columns, i % columns);
    ++i;
  }
  return matrix;
}
// L·Lᵀ for the triangle L of ones: element (i, j) is the number of k ≤ i, j.
Tensor ProductOfOnes() {
  return MatrixOf(kMany, kMany, [](int64_t i, int64_t j) { return static_cast<float>(std::min(i, j) + 1); });
}
Tensor LowerOnes() {
  return MatrixOf(kMany, kMany, [](int64_t i, int64_t j) { return j <= i ? 1.0F : 0.0F; });
}
Tensor AllOnes(int64_t n) {
  return MatrixOf(n, n, [](int64_t, int64_t) { return 1.0F; });
}

const AttrMap kFloats = {{"T", DType::kFloat}};

void ExpectAnswer(const Question& question, const Tensor& wanted) {
  const Tensor got = AnswersTo(question, true).front();
  ASSERT_EQ(got.shape(), wanted.shape());
  EXPECT_TRUE(got.BitwiseEquals(wanted)) << question.op;
}

// Whole numbers all the way: L·Lᵀ has the factor L, all pivots are 1, and nothing is exchanged, for below a pivot of 1
// all numbers of its column are 1.
TEST(GpuLinalg, FactorsLargeMatrices) {
  ExpectAnswer({"Cholesky", {ProductOfOnes()}, kFloats}, LowerOnes());
  ExpectAnswer({"Lu", {ProductOfOnes()}, kFloats, 2}, AllOnes(kMany));
  ExpectAnswer({"MatrixDeterminant", {ProductOfOnes()}, kFloats}, MakeScalar(1.0F));
}

// A·x for x of ones is what the rows add up to.
TEST(GpuLinalg, SolvesLargeSystems) {
  const Tensor ones = MatrixOf(kMany, 3, [](int64_t, int64_t) { return 1.0F; });
  const Tensor sums = MatrixOf(kMany, 3, [](int64_t i, int64_t) {
    float sum = 0;
    for (int64_t j = 0; j < kMany; ++j) sum += static_cast<float>(std::min(i, j) + 1);
    return sum;
  });
  ExpectAnswer({"MatrixSolve", {ProductOfOnes(), sums}, kFloats}, ones);
  const Tensor counts = MatrixOf(kMany, 3, [](int64_t i, int64_t) { return static_cast<float>(i + 1); });
  ExpectAnswer({"MatrixTriangularSolve", {LowerOnes(), counts}, kFloats}, ones);
}

// More right-hand sides than one block takes.
TEST(GpuLinalg, SolvesForManyRightHandSides) {
  const auto sides = [](float least) {
    return MatrixOf(2, 150, [least](int64_t i, int64_t j) { return static_cast<float>(j) + (i == 0 ? 0 : least); });
  };
  const Tensor triangle = MatrixOf(2, 2, [](int64_t i, int64_t j) { return j <= i ? 1.0F : 7.0F; });
  // x₀ = j and x₀ + x₁ = j + 5.
  const Tensor wanted = MatrixOf(2, 150, [](int64_t i, int64_t j) { return i == 0 ? static_cast<float>(j) : 5.0F; });
  ExpectAnswer({"MatrixTriangularSolve", {triangle, sides(5)}, kFloats}, wanted);
}

// The rows {0, 2}, {3, 0}: the second one comes first.
TEST(GpuLinalg, ExchangesRows) {
  const Tensor a = MatrixOf(2, 2, [](int64_t i, int64_t j) { return i == j ? 0.0F : i == 0 ? 2.0F : 3.0F; });
  const std::vector<Tensor> lu = AnswersTo({"Lu", {a}, kFloats, 2}, true);
  EXPECT_EQ(ToInt64s(lu[1]), (std::vector<int64_t>{1, 0}));
  ExpectAnswer({"MatrixDeterminant", {a}, kFloats}, MakeScalar(-6.0F));
}

TEST(GpuLinalg, RefusesWhatHasNoInverse) {
  const std::pair<Question, std::string> cases[] = {
      {{"Lu", {AllOnes(3)}, kFloats, 2}, "Input is not invertible."},
      {{"MatrixInverse", {AllOnes(3)}, kFloats}, "Input matrix is not invertible."},
      {{"MatrixSolve", {AllOnes(3), AllOnes(3)}, kFloats}, "Input matrix is not invertible."},
      {{"SelfAdjointEigV2", {MatrixOf(2, 2, [](int64_t, int64_t) { return INFINITY; })}, kFloats, 2},
       "Self-adjoint eigen decomposition was not successful. The input might not be valid."},
  };
  for (const auto& [question, words] : cases) {
    const Status status = StatusOf(question);
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << question.op;
    EXPECT_NE(status.message().find(words), std::string::npos) << status.ToString();
  }
}

// A matrix that is not positive definite has NaN in the lower triangle and zeros above it.
TEST(GpuLinalg, LeavesNanForWhatHasNoRoot) {
  const Tensor factor = AnswersTo({"Cholesky", {AllOnes(3)}, kFloats}, true).front();
  for (int64_t at = 0; at < 9; ++at) {
    const float x = factor.data<float>()[static_cast<size_t>(at)];
    EXPECT_TRUE(at % 3 <= at / 3 ? std::isnan(x) : x == 0) << at;
  }
}

// A matrix with one row that is not zero has one singular value, its length, 5; the other vectors complete two bases,
// whose products with themselves are the unit matrix: sums of squares of 0, 1, 3/5 and 4/5, a few roundings beside 1.
TEST(GpuLinalg, CompletesTheBasesOfMatricesWithoutFullRank) {
  const Tensor a = MatrixOf(2, 3, [](int64_t i, int64_t j) { return i == 0 && j < 2 ? static_cast<float>(3 + j) : 0; });
  const std::vector<Tensor> svd =
      AnswersTo({"Svd", {a}, {{"T", DType::kFloat}, {"compute_uv", true}, {"full_matrices", true}}, 3}, true);
  EXPECT_FLOAT_EQ(svd[0].data<float>()[0], 5);
  for (const Tensor& basis : {svd[1], svd[2]}) {
    const int64_t n = basis.dim(0);
    const auto v = basis.data<float>();
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        float product = 0;
        for (int64_t k = 0; k < n; ++k)
          product += v[static_cast<size_t>(k * n + i)] * v[static_cast<size_t>(k * n + j)];
        EXPECT_FLOAT_EQ(1 + product, i == j ? 2 : 1) << i << ", " << j;
      }
    }
  }
}

}  // namespace
}  // namespace plumb::fast
