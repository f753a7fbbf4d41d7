#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/optimizer_harness.h"

namespace plumb::fast::cpu {
namespace {

TEST(Adam, AddsEpsilonToTheRoot) {  // R65
  KernelHarness harness;
  const Entry v = Slot(harness, {1}), m = Slot(harness, {0}), s = Slot(harness, {2});
  const auto run = [&](const Entry& variable, bool nesterov) {
    return harness.Run(
        "ApplyAdam",
        {variable, m, s, Scalar(0.5), Scalar(0.75), Scalar(3), Scalar(0.5), Scalar(0.5), Scalar(1), Gradient({4})},
        {{"use_nesterov", nesterov}});
  };
  run(v, false);
  EXPECT_EQ(Values<double>(m), Doubles({2}));
  EXPECT_EQ(Values<double>(s), Doubles({9}));
  EXPECT_EQ(Values<double>(v), Doubles({1 - 3.0 * 2 / (3 + 1)}));  // lr·√(1−0.75)/(1−0.5) = 3
}

TEST(Adam, UpdatesWhatHandlesLeadTo) {  // R46, R65
  KernelHarness harness;
  const Entry v = Handle(harness, {1}), m = Handle(harness, {0}), s = Handle(harness, {2});
  harness.Run("ResourceApplyAdam",
              {v, m, s, Scalar(0.5), Scalar(0.75), Scalar(3), Scalar(0.5), Scalar(0.5), Scalar(1), Gradient({4})},
              {{"use_nesterov", false}});
  EXPECT_EQ(Held(harness, m), Doubles({2}));
  EXPECT_EQ(Held(harness, s), Doubles({9}));
  EXPECT_EQ(Held(harness, v), Doubles({1 - 3.0 * 2 / (3 + 1)}));
}

TEST(Adam, OverflowsOnTheWayAsFloat16Does) {  // N22
  KernelHarness harness;
  const auto slot = [&](float value) { return harness.Ref(MakeVector<Half>({Half(value)})); };
  const auto scalar = [](float value) { return In(MakeScalar<Half>(Half(value))); };
  const Entry v = slot(1), m = slot(0), s = slot(0);
  harness.Run("ApplyAdam",
              {v, m, s, scalar(0.5), scalar(0.75), scalar(1), scalar(0.5), scalar(0.984375), scalar(1),
               In(MakeVector<Half>({Half(300)}))},
              {{"use_nesterov", false}});
  EXPECT_EQ(static_cast<float>(Values<Half>(s)[0]), INFINITY) << "300² is none of float16, though 1/64 of it is";
  EXPECT_EQ(static_cast<float>(Values<Half>(v)[0]), 1);
}

TEST(Adam, OfAmsgradTakesTheGreatestSquaresSoFar) {  // R65
  KernelHarness harness;
  const Entry v = Handle(harness, {1, 1}), m = Handle(harness, {0, 0}), s = Handle(harness, {2, 2}),
              greatest = Handle(harness, {16, 4});
  harness.Run("ResourceApplyAdamWithAmsgrad", {v, m, s, greatest, Scalar(0.5), Scalar(0.75), Scalar(3), Scalar(0.5),
                                               Scalar(0.5), Scalar(2), Gradient({4, 4})});
  EXPECT_EQ(Held(harness, m), Doubles({2, 2}));
  EXPECT_EQ(Held(harness, s), Doubles({9, 9}));
  EXPECT_EQ(Held(harness, greatest), Doubles({16, 9}));
  EXPECT_EQ(Held(harness, v), Doubles({0, 1 - 3.0 * 2 / (3 + 2)}));
}

TEST(Adam, OfAdaMaxDividesByTheGreatestGradient) {  // R65
  KernelHarness harness;
  const Entry half = Scalar(0.5), gradient = Gradient({-4, 4});
  const Entry v = Slot(harness, {1, 1}), m = Slot(harness, {0, 0}), s = Slot(harness, {2, 24});
  harness.Run("ApplyAdaMax", {v, m, s, half, half, half, half, Scalar(4), gradient});
  EXPECT_EQ(Values<double>(m), Doubles({-2, 2}));
  EXPECT_EQ(Values<double>(s), Doubles({4, 12}));
  EXPECT_EQ(Values<double>(v), Doubles({1.25, 0.875}));
  const Entry held = Handle(harness, {1, 1}), means = Handle(harness, {0, 0}), sizes = Handle(harness, {2, 24});
  harness.Run("ResourceApplyAdaMax", {held, means, sizes, half, half, half, half, Scalar(4), gradient});
  EXPECT_EQ(Held(harness, held), Doubles({1.25, 0.875}));
  EXPECT_EQ(harness.CodeOf("ApplyAdaMax", {v, m, s, half, half, half, gradient, Scalar(4), gradient}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
