#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/optimizer_harness.h"

namespace plumb::fast::cpu {
namespace {

TEST(ProximalAdagrad, ShrinksByTheRateOfAdagrad) {  // R67
  KernelHarness harness;
  const Entry v = Slot(harness, {8}), a = Slot(harness, {7});
  harness.Run("ApplyProximalAdagrad", {v, a, Scalar(2), Scalar(3), Scalar(2), Gradient({3})});
  EXPECT_EQ(Values<double>(a), Doubles({16}));
  EXPECT_EQ(Values<double>(v), Doubles({2.5}));  // a rate of 2/√16: (8 − 1.5 − 1.5)/(1 + 1)
}

TEST(ProximalAdagrad, ByRowsChangesTheirRowsAlone) {  // R68: a = 4, so the rate is a half
  KernelHarness harness;
  const Entry v = Slot(harness, {5, 5}), a = Slot(harness, {0, 0});
  harness.Run("SparseApplyProximalAdagrad",
              {v, a, Scalar(1), Scalar(0), Scalar(0), Gradient({2}), In(MakeVector<int32_t>({1}))});
  EXPECT_EQ(Values<double>(v), Doubles({5, 4}));
  EXPECT_EQ(Values<double>(a), Doubles({0, 4}));
}

TEST(ProximalAdagrad, RefusesNumbersThatMakeNoSense) {  // ApplyProximalAdagradOp
  KernelHarness harness;
  const Entry v = Slot(harness, {8}), a = Slot(harness, {7}), first = In(MakeVector<int32_t>({0}));
  const auto code = [&](double lr, double l1, double l2) {
    return harness.CodeOf("ApplyProximalAdagrad", {v, a, Scalar(lr), Scalar(l1), Scalar(l2), Gradient({3})});
  };
  EXPECT_EQ(code(0, 0, 0), Code::kInvalidArgument);
  EXPECT_EQ(code(1, -1, 0), Code::kInvalidArgument);
  EXPECT_EQ(code(1, 0, -1), Code::kInvalidArgument);
  EXPECT_EQ(
      harness.CodeOf("SparseApplyProximalAdagrad", {v, a, Scalar(-1), Scalar(0), Scalar(0), Gradient({3}), first}),
      Code::kInvalidArgument);
  EXPECT_EQ(Values<double>(v), Doubles({8}));
  EXPECT_EQ(Values<double>(a), Doubles({7}));
}

}  // namespace
}  // namespace plumb::fast::cpu
