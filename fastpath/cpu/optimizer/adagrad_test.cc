#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/optimizer_harness.h"

namespace plumb::fast::cpu {
namespace {

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
