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

TEST(GradientDescent, StepsAgainstTheGradient) {  // R60
  KernelHarness harness;
  const Entry v = Slot(harness, {1, 2, 3});
  EXPECT_EQ(harness.Run("ApplyGradientDescent", {v, Scalar(0.5), Gradient({2, 0, -4})})[0].ref, v.ref);
  EXPECT_EQ(Values<double>(v), Doubles({0, 2, 5}));
}

}  // namespace
}  // namespace plumb::fast::cpu
