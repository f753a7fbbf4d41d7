#include "conformance/compare/spread.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "conformance/compare/compare.h"

namespace plumb::conformance {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
using Numbers = std::vector<double>;

double LimitOf(size_t i, const Numbers& centre, const Numbers& bounds, const std::vector<Numbers>& samples) {
  return Spread(centre, bounds, samples).Limit(i, 0);
}

TEST(Spread, IsTakenSixfold) {
  EXPECT_EQ(LimitOf(0, {100}, {50}, {{100.5}, {99.5}}), 6);
  EXPECT_EQ(Spread({100}, {50}, {{100.5}, {99.5}}).Limit(0, 0.25), 6.25);
  EXPECT_EQ(LimitOf(0, {100}, {50}, {{101}, {101}}), 6);  // the reference's own number counts
}

TEST(Spread, NeverAllowsMoreThanTheBound) {
  EXPECT_EQ(LimitOf(0, {100}, {5}, {{96}, {104}}), 5);
  EXPECT_EQ(LimitOf(0, {100}, {5}, {{kInf}, {100}}), 5);
  EXPECT_EQ(LimitOf(1, {100, 100}, {50, 2}, {{130, 100.5}, {70, 99.5}}), 2);
}

// The one at the end moves a thousand times as far as the others.
TEST(Spread, OneWildNumberWidensNoOther) {
  const Numbers centre = {10, 20, 30, 40}, bounds = {1000, 1000, 1000, 1000};
  const std::vector<Numbers> calm = {{10.5, 20.5, 30.5, 40.5}, {9.5, 19.5, 29.5, 39.5}};
  std::vector<Numbers> wild = calm;
  wild[0][3] = 540;
  wild[1][3] = -460;
  for (const size_t i : {0, 1, 2}) EXPECT_EQ(LimitOf(i, centre, bounds, wild), LimitOf(i, centre, bounds, calm));
  EXPECT_EQ(LimitOf(3, centre, bounds, wild), 1000);
  // Nor does it in a tensor of two.
  EXPECT_EQ(LimitOf(0, {10, 40}, {1000, 1000}, {{10.5, 540}, {9.5, -460}}), 6);
}

TEST(Spread, SamplesThatAgreeByChanceOnOneNumberLeaveItWhatIsTypical) {
  const Numbers bounds = {100, 10, 100};
  const std::vector<Numbers> samples = {{1.5, 2, 3.5}, {0.5, 2, 2.5}};
  EXPECT_DOUBLE_EQ(LimitOf(1, {1, 2, 3}, bounds, samples), 0.6);  // a hundredth of its bound, sixfold
  EXPECT_DOUBLE_EQ(LimitOf(1, {1, 2, 3}, {100, kInf, 100}, samples), 6);
}

TEST(Spread, WhatDoesNotMoveIsNotTypical) {
  const Numbers centre = {1, 2, 3}, bounds = {100, 100, 100};
  for (const double still : {2.0, kNan, kInf}) {
    const std::vector<Numbers> samples = {{1, still, 3.5}, {1, still, 2.5}};
    EXPECT_DOUBLE_EQ(LimitOf(0, centre, bounds, samples), 6) << still;
    EXPECT_DOUBLE_EQ(LimitOf(0, centre, {kInf, 100, kInf}, samples), 6) << still;
  }
}

// Each is held against its own bound; one without a bound says nothing of the others.
TEST(Spread, WhatIsTypicalIsAPartOfEachBound) {
  const Numbers centre = {1, 2, 3, 4};
  const std::vector<Numbers> samples = {{1.5, 2, 5, 6}, {0.5, 2, 1, 2}},
                             alike = {{1.5, 2.5, 3.5, 4}, {0.5, 1.5, 2.5, 4}};
  EXPECT_DOUBLE_EQ(LimitOf(1, centre, {100, 10, 400, 400}, samples), 0.6);
  EXPECT_DOUBLE_EQ(LimitOf(3, centre, {kInf, 100, 100, 10}, alike), 0.6);
  EXPECT_DOUBLE_EQ(LimitOf(3, centre, {0, 100, 100, 10}, alike), 0.6);
}

TEST(Spread, SamplesThatMeasureNothingLeaveTheBound) {
  EXPECT_EQ(LimitOf(0, {100}, {50}, {{100}, {100}}), 50);
  EXPECT_EQ(LimitOf(0, {100}, {50}, {{kNan}, {kNan}}), 50);
  EXPECT_EQ(LimitOf(0, {100}, {50}, {{kNan}, {101}}), 6);
  EXPECT_EQ(LimitOf(0, {100}, {kInf}, {{100}, {100}}), kInf) << "nothing is typical of nothing";
}

}  // namespace
}  // namespace plumb::conformance
