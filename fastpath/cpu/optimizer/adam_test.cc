#include <gtest/gtest.h>

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

}  // namespace
}  // namespace plumb::fast::cpu
