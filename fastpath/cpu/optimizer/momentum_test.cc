#include <gtest/gtest.h>

#include "fastpath/cpu/lib/kernel_harness.h"
#include "fastpath/cpu/lib/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Doubles = std::vector<double>;

// Values chosen so that every step of the formulas is exact in binary.
Entry Slot(KernelHarness& harness, std::initializer_list<double> values) {
  return harness.Ref(MakeVector<double>(values));
}

Entry Scalar(double value) { return In(MakeScalar<double>(value)); }
Entry Gradient(std::initializer_list<double> values) { return In(MakeVector<double>(values)); }

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
