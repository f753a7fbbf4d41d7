#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

Tensor Solved(const Tensor& a, const Tensor& b, double weight, bool fast) {
  return RunKernel1("MatrixSolveLs", {a, b, MakeScalar<double>(weight)}, {{"fast", fast}});
}
void ExpectAlmost(const Tensor& actual, const std::vector<double>& expected) {
  const auto values = Values<double>(actual);
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_DOUBLE_EQ(values[i], expected[i]) << i;
}

// The columns are orthogonal: the normal equations are {4 0; 0 4}·X = {12; −4}.
TEST(LeastSquares, FitsAsWellAsCanBe) {
  const Tensor a = MakeTensor<double>({4, 2}, {1, 1, 1, -1, 1, 1, 1, -1}), b = MakeTensor<double>({4, 1}, {1, 2, 3, 6});
  ExpectAlmost(Solved(a, b, 0, true), {3, -1});
  ExpectAlmost(Solved(a, b, 4, true), {1.5, -0.5});
  const auto decomposed = Values<double>(Solved(a, b, 4, false));
  for (size_t i = 0; i < 2; ++i) EXPECT_FLOAT_EQ(static_cast<float>(decomposed[i]), i == 0 ? 3 : -1);
}

TEST(LeastSquares, TakesTheSmallestOfManySolutions) {
  const Tensor a = MakeTensor<double>({1, 2}, {3, 4}), b = MakeTensor<double>({1, 1}, {50});
  ExpectAlmost(Solved(a, b, 0, true), {6, 8});
  ExpectAlmost(Solved(a, b, 25, true), {3, 4});
}

// Both columns are one: no normal equations, but a smallest solution.
TEST(LeastSquares, NeedsADecompositionWhereColumnsAreEqual) {
  const Tensor a = MakeTensor<double>({4, 2}, {1, 1, 1, 1, 1, 1, 1, 1});
  const Tensor b = MakeTensor<double>({4, 1}, {2, 6, 2, 6});
  const auto code = [&](double weight, bool fast) {
    return CodeOfKernel("MatrixSolveLs", {a, b, MakeScalar<double>(weight)}, {{"fast", fast}});
  };
  EXPECT_EQ(code(0, true), Code::kInvalidArgument);
  EXPECT_EQ(code(1, true), Code::kOk);
  EXPECT_EQ(code(-1, false), Code::kInvalidArgument);
  for (const double x : Values<double>(Solved(a, b, 0, false))) EXPECT_FLOAT_EQ(static_cast<float>(x), 2);
}

// In float32 the second row is three times the first to its last bit but one: the rank is one, although what is computed
// in could tell. The smallest solution of x₀ + 3·x₁ = 10 is {1, 3}.
TEST(LeastSquares, HasTheRankThatItsTypeCanTell) {
  const Tensor a = MakeTensor<float>({2, 2}, {0.1f, 0.3f, 0.3f, 0.9f}), b = MakeTensor<float>({2, 1}, {1, 3});
  const auto solution = Values<float>(Solved(a, b, 0, false));
  for (size_t i = 0; i < 2; ++i) EXPECT_FLOAT_EQ(solution[i], i == 0 ? 1 : 3);
}

TEST(LeastSquares, WithoutEquationsIsZero) {
  const Tensor none = Tensor(DType::kDouble, {0, 2}), sides = Tensor(DType::kDouble, {0, 1});
  EXPECT_EQ(Values<double>(Solved(none, sides, 0, true)), (std::vector<double>{0, 0}));
  const Tensor other = MakeTensor<double>({1, 1}, {1});
  EXPECT_EQ(CodeOfKernel("MatrixSolveLs", {none, other, MakeScalar<double>(0)}, {{"fast", true}}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
