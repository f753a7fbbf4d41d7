#include "conformance/compare/bias.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plumb::conformance {
namespace {

using Numbers = std::vector<double>;

reference::Value Bounded(const Numbers& numbers, const Numbers& bounds) {
  return {MakeTensor<double>({std::ssize(numbers)}, std::span<const double>(numbers)),
          std::make_shared<const Numbers>(bounds), nullptr};
}
MagnitudeBias Biased(const Numbers& actual, const Numbers& expected, const Numbers& bounds) {
  MagnitudeBias bias;
  bias.Add(MakeTensor<double>({std::ssize(actual)}, std::span<const double>(actual)), Bounded(expected, bounds));
  return bias;
}
// `outward` errors of one bound away from zero, and `inward` ones towards it. The sum of the signs over the root of
// their number is the statistic.
MagnitudeBias Leaning(int outward, int inward) {
  Numbers actual, expected;
  for (int i = 0; i < outward + inward; ++i) {
    const double sign = i % 2 == 0 ? 1 : -1;  // of the number, which is for nothing
    expected.push_back(8 * sign);
    actual.push_back((i < outward ? 9 : 7) * sign);
  }
  return Biased(actual, expected, Numbers(expected.size(), 1));
}

// In bounds and away from zero, the errors are 1/2, 2, -1 and 1/4: their sum 7/4 over the root of 85/16.
TEST(MagnitudeBias, AddsErrorsInBoundsAwayFromZero) {
  const MagnitudeBias bias = Biased({5, -10, 3, 8.125}, {4, -8, 4, 8}, {2, 1, 1, 0.5});
  EXPECT_EQ(bias.count(), 4);
  EXPECT_DOUBLE_EQ(bias.Statistic(), 1.75 / std::sqrt(85.0 / 16));
}

// Zero has no direction, a bound of zero no unit; what is broken on one side has no error.
TEST(MagnitudeBias, LeavesOutWhatHasNoDirectionOrUnit) {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  const MagnitudeBias bias = Biased({1, 1, kInf, kNan, 3}, {0, 2, 1, 1, 2}, {1, 0, 1, 1, 1});
  EXPECT_EQ(bias.count(), 1);
  EXPECT_EQ(bias.Statistic(), 1);
  EXPECT_EQ(Biased({0.5}, {0.25}, {0.25}).count(), 1) << "a bound below 1 is one";
  EXPECT_EQ(MagnitudeBias().Statistic(), 0);
}

TEST(MagnitudeBias, OfOtherTypesOrWithoutBoundsIsNone) {
  MagnitudeBias bias;
  bias.Add(MakeVector<float>({2}), Bounded({1}, {1}));
  bias.Add(MakeVector<double>({2, 2}), Bounded({1}, {1}));
  bias.Add(MakeVector<double>({2}), reference::Value(MakeVector<double>({1})));
  EXPECT_EQ(bias.count(), 0);
}

// 64 errors the same way are 8 deviations, 63 are nearly as many.
TEST(MagnitudeBias, NeedsEnoughErrors) {
  EXPECT_TRUE(Leaning(64, 0).IsBiased());
  EXPECT_FALSE(Leaning(63, 0).IsBiased());
  EXPECT_GT(Leaning(63, 0).Statistic(), 7);
}

// Of 100 errors 80 outward and 20 inward are (80 - 20) / 10 = 6 deviations.
TEST(MagnitudeBias, BeginsBeyondSixDeviationsOnEitherSide) {
  EXPECT_EQ(Leaning(80, 20).Statistic(), 6);
  EXPECT_FALSE(Leaning(80, 20).IsBiased());
  EXPECT_TRUE(Leaning(81, 19).IsBiased());
  EXPECT_EQ(Leaning(20, 80).Statistic(), -6);
  EXPECT_FALSE(Leaning(20, 80).IsBiased());
  EXPECT_TRUE(Leaning(19, 81).IsBiased());
}

TEST(MagnitudeBias, GoesOnFromTensorToTensor) {
  MagnitudeBias bias;
  for (int i = 0; i < 64; ++i) bias.Add(MakeVector<double>({9}), Bounded({8}, {1}));
  EXPECT_EQ(bias.count(), 64);
  EXPECT_EQ(bias.Statistic(), 8);
  EXPECT_TRUE(bias.IsBiased());
}

}  // namespace
}  // namespace plumb::conformance
