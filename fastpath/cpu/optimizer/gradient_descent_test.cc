#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/optimizer_harness.h"

namespace plumb::fast::cpu {
namespace {

TEST(GradientDescent, StepsAgainstTheGradient) {  // R60
  KernelHarness harness;
  const Entry v = Slot(harness, {1, 2, 3});
  EXPECT_EQ(harness.Run("ApplyGradientDescent", {v, Scalar(0.5), Gradient({2, 0, -4})})[0].ref, v.ref);
  EXPECT_EQ(Values<double>(v), Doubles({0, 2, 5}));
}

}  // namespace
}  // namespace plumb::fast::cpu
