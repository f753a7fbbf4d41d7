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

TEST(Adagrad, DividesByTheRootOfTheSquares) {  // R62
  KernelHarness harness;
  const Entry v = Slot(harness, {1}), a = Slot(harness, {7});
  harness.Run("ApplyAdagrad", {v, a, Scalar(2), Gradient({3})});
  EXPECT_EQ(Values<double>(a), Doubles({16}));
  EXPECT_EQ(Values<double>(v), Doubles({-0.5}));
  harness.Run("ApplyAdagrad", {v, a, Scalar(2), Gradient({2})}, {{"update_slots", false}});
  EXPECT_EQ(Values<double>(a), Doubles({16}));
  EXPECT_EQ(Values<double>(v), Doubles({-1.5}));
}

}  // namespace
}  // namespace plumb::fast::cpu
