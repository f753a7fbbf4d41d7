#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/optimizer_harness.h"

namespace plumb::fast::cpu {
namespace {

TEST(ProximalDescent, ShrinksTowardsZero) {  // R67
  KernelHarness harness;
  const Entry v = Slot(harness, {8, -8, 1});
  harness.Run("ApplyProximalGradientDescent", {v, Scalar(0.5), Scalar(4), Scalar(2), Gradient({4, -4, 0})});
  EXPECT_EQ(Values<double>(v), Doubles({2, -2, 0}));  // (6 − 0.5·4)/(1 + 0.5·2)
}

TEST(ProximalDescent, WithoutAPenaltyKeepsSmallNumbers) {
  KernelHarness harness;
  const Entry v = Slot(harness, {8, 1});
  harness.Run("SparseApplyProximalGradientDescent",
              {v, Scalar(0.5), Scalar(0), Scalar(2), Gradient({1}), In(MakeVector<int32_t>({1}))});
  EXPECT_EQ(Values<double>(v), Doubles({8, 0.25}));
}

TEST(ProximalDescent, ByRowsRefusesRowsWithoutElements) {  // R68
  KernelHarness harness;
  const Entry v = harness.Ref(Zeros(DType::kDouble, {3, 0})), a = harness.Ref(Zeros(DType::kDouble, {3, 0}));
  const Entry none = In(Zeros(DType::kDouble, {1, 0})), row = In(MakeVector<int32_t>({1}));
  EXPECT_EQ(harness.CodeOf("SparseApplyProximalGradientDescent", {v, Scalar(0.5), Scalar(0), Scalar(2), none, row}),
            Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("SparseApplyMomentum", {v, a, Scalar(0.5), none, row, Scalar(0.5)}), Code::kOk)
      << "others do nothing";
}

}  // namespace
}  // namespace plumb::fast::cpu
