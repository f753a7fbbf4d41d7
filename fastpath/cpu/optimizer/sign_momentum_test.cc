#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/optimizer_harness.h"

namespace plumb::fast::cpu {
namespace {

// As TensorFlow answers: the means become 1.5, 0.5 and 0.
TEST(SignMomentum, AddsTheSignsProduct) {
  KernelHarness harness;
  const Entry v = Slot(harness, {1, 2, 3}), m = Slot(harness, {1, -1, 0});
  harness.Run("ApplyAddSign", {v, m, Scalar(0.5), Scalar(1), Scalar(0.5), Scalar(0.5), Gradient({2, 2, 0})});
  EXPECT_EQ(Values<double>(m), Doubles({1.5, 0.5, 0}));
  EXPECT_EQ(Values<double>(v), Doubles({-0.5, 0.5, 3}));
  const Entry other = Slot(harness, {1}), against = Slot(harness, {-3});  // the mean becomes -0.5
  harness.Run("ApplyAddSign", {other, against, Scalar(0.5), Scalar(1), Scalar(0.5), Scalar(0.5), Gradient({2})});
  EXPECT_EQ(Values<double>(other), Doubles({0.5}));
  const Entry held = Handle(harness, {1}), mean = Handle(harness, {1});
  harness.Run("ResourceApplyAddSign", {held, mean, Scalar(0.5), Scalar(1), Scalar(0.5), Scalar(0.5), Gradient({2})});
  EXPECT_EQ(Held(harness, held), Doubles({-0.5}));
}

TEST(SignMomentum, RaisesToTheSignsProduct) {
  KernelHarness harness;
  const Entry slot = Slot(harness, {2}), mean = Slot(harness, {-6});  // it becomes -2
  harness.Run("ApplyPowerSign", {slot, mean, Scalar(0.5), Scalar(1), Scalar(0.5), Scalar(0.5), Gradient({2})});
  EXPECT_DOUBLE_EQ(Values<double>(slot)[0], 2 - std::exp(-0.5));
  const Entry v = Handle(harness, {1, 2, 3}), m = Handle(harness, {1, -6, 0});
  const auto run = [&](const Entry& lr, const Entry& gradient) {
    return harness.CodeOf("ResourceApplyPowerSign", {v, m, lr, Scalar(1), Scalar(0.5), Scalar(0.5), gradient});
  };
  EXPECT_EQ(run(Scalar(0.5), Gradient({2, 2, 0})), Code::kOk);
  EXPECT_EQ(Held(harness, m), Doubles({1.5, -2, 0}));
  EXPECT_DOUBLE_EQ(Held(harness, v)[0], 1 - std::exp(0.5));
  EXPECT_DOUBLE_EQ(Held(harness, v)[1], 2 - std::exp(-0.5));
  EXPECT_EQ(Held(harness, v)[2], 3);
  EXPECT_EQ(run(Gradient({0.5}), Gradient({2, 2, 0})), Code::kInvalidArgument);
  EXPECT_EQ(run(Scalar(0.5), Gradient({2, 2})), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
