// The first version of eigenvalues, the gradient of Cholesky's factor, and exponentials.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

Value Doubles(Shape shape, std::initializer_list<double> numbers) { return MakeTensor<double>(shape, numbers); }
// With bounds of rounded arithmetic.
Value Rounded(std::string_view op, const Value& input) {
  return KernelCall{.op = op, .inputs = {input}, .accuracy = Composed(1)}();
}
constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
double NumberAt(const Value& value, size_t i) { return value.tensor.data<double>()[i]; }

// Lᵀ·dL is {4 3; 4 6}, of which Φ leaves {2 0; 4 3}; the 9s are above the diagonals.
TEST(CholeskyGrad, SharesTheGradientAmongPairs) {
  const Value factor = Doubles({2, 2}, {2, 9, 1, 2}), gradient = Doubles({2, 2}, {1, 9, 2, 3});
  for (const char* op : {"CholeskyGrad", "BatchCholeskyGrad"}) {
    const Value result = KernelCall{op, {factor, gradient}}();
    EXPECT_THAT(result.tensor.data<double>(), ElementsAre(0.1875, 0.125, 0.125, 0.75));
  }
  EXPECT_EQ((KernelCall{"CholeskyGrad", {factor, Doubles({1, 2}, {1, 2})}}.Fails()), Code::kInvalidArgument);
}

// The gradient g of a number's root L is g/(2L) of the number, and moves by dg/(2L) − g·dL/(2L²).
TEST(CholeskyGrad, MovesWithItsInputs) {
  const Value factor = WithTangent(MakeTensor<double>({1, 1}, {4}), {1});
  const Value gradient = WithTangent(MakeTensor<double>({1, 1}, {2}), {8});
  EXPECT_THAT(Tangents(KernelCall{"CholeskyGrad", {factor, gradient}}()), ElementsAre(8.0 / 8 - 2.0 / 32));
}

// Of the powers of {0 1; 0 0} the first two are not zero. The power of 3 is that of 64 parts, and would have to be off
// by 128 units in each for its bound to say less.
TEST(MatrixExponential, SumsPowers) {
  const Value sum = KernelCall{"MatrixExponential", {Doubles({2, 2}, {0, 1, 0, 0})}}();
  EXPECT_THAT(sum.tensor.data<double>(), ElementsAre(1, 1, 0, 1));
  const Value power = Rounded("MatrixExponential", Doubles({1, 1}, {3}));
  EXPECT_NEAR(NumberAt(power, 0), std::exp(3), Bounds(power)[0]);
  EXPECT_LT(Bounds(power)[0], 64 * 128 * kUnit * std::exp(3));
}

// At a number x, exp(x) moves by exp(x)·dx; at zero nothing rounds.
TEST(MatrixExponential, MovesWithItsInput) {
  const Value moved = KernelCall{"MatrixExponential", {WithTangent(MakeTensor<double>({1, 1}, {0}), {2})}}();
  EXPECT_EQ(Tangents(moved)[0], 2);
}

// {2 1; 1 2} stretches (1, −1) by 1 and (1, 1) by 3. The values have the bounds of values, no more than some tens of
// roundings of each element would come to; those of the vectors leave their signs open. The vectors themselves turn by
// what n·u·‖A‖ is of the gap between the values, and are rounded.
TEST(SelfAdjointEig, HasItsValuesAboveItsVectors) {
  constexpr int kRoundings = 30, kElements = 2 * 2;
  const double size = std::sqrt(10.0), gap = 3 - 1, vector_limit = 2 * kUnit * size / gap + kUnit;
  const Value both = Rounded("SelfAdjointEig", Doubles({2, 2}, {2, NAN, 1, 2}));
  ASSERT_EQ(both.tensor.shape(), Shape({3, 2}));
  const std::vector<double> bounds = Bounds(both);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(NumberAt(both, i), i == 0 ? 1 : 3, bounds[i]);
    EXPECT_LT(bounds[i], kRoundings * kElements * kUnit * size);
    EXPECT_NEAR(std::fabs(NumberAt(both, 2 + i)), std::sqrt(0.5), vector_limit);
    EXPECT_GE(bounds[2 + i], 2 * std::sqrt(0.5));
  }
  EXPECT_LT(NumberAt(both, 2) * NumberAt(both, 4), 0);
  EXPECT_GT(NumberAt(both, 3) * NumberAt(both, 5), 0);
  const Value none = KernelCall{"BatchSelfAdjointEig", {Tensor(DType::kDouble, {2, 0, 0})}}();
  EXPECT_EQ(none.tensor.shape(), Shape({2, 1, 0}));
}

}  // namespace
}  // namespace plumb::reference
