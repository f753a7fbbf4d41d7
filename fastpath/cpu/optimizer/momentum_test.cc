#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/optimizer_harness.h"

namespace plumb::fast::cpu {
namespace {

TEST(Momentum, Accumulates) {  // R61
  KernelHarness harness;
  const Entry v = Slot(harness, {1}), a = Slot(harness, {4});
  harness.Run("ApplyMomentum", {v, a, Scalar(0.5), Gradient({2}), Scalar(0.25)});
  EXPECT_EQ(Values<double>(a), Doubles({3}));
  EXPECT_EQ(Values<double>(v), Doubles({-0.5}));
}

TEST(Momentum, NesterovLooksAhead) {  // v -= lr·g + lr·mu·a, with a updated
  KernelHarness harness;
  const Entry v = Slot(harness, {1}), a = Slot(harness, {4});
  harness.Run("ApplyMomentum", {v, a, Scalar(0.5), Gradient({2}), Scalar(0.25)}, {{"use_nesterov", true}});
  EXPECT_EQ(Values<double>(v), Doubles({1 - (0.5 * 2 + 0.5 * 0.25 * 3)}));
}

}  // namespace
}  // namespace plumb::fast::cpu
