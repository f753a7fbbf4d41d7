#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/optimizer_harness.h"

namespace plumb::fast::cpu {
namespace {

TEST(AdagradDa, AveragesGradients) {
  KernelHarness harness;
  const Entry v = Slot(harness, {5, 5}), g = Slot(harness, {7, 1}), q = Slot(harness, {7, 0});
  harness.Run("ApplyAdagradDA",
              {v, g, q, Gradient({3, 0}), Scalar(2), Scalar(2), Scalar(1), In(MakeScalar<int64_t>(2))});
  EXPECT_EQ(Values<double>(g), Doubles({10, 1}));
  EXPECT_EQ(Values<double>(q), Doubles({16, 0}));
  EXPECT_EQ(Values<double>(v), Doubles({-1.5, 0}));  // −2·(10 − 2·2)/(1·2·2 + 4); below the penalty: 0
}

TEST(AdagradDa, ByRowsAveragesWhatTheIndicesName) {  // R68
  KernelHarness harness;
  const Entry v = Slot(harness, {5, 5}), g = Slot(harness, {1, 7}), q = Slot(harness, {0, 7});
  const auto run = [&](int32_t row) {
    const Entry rows = In(MakeVector<int32_t>({row}));
    return harness.CodeOf("SparseApplyAdagradDA",
                          {v, g, q, Gradient({3}), rows, Scalar(2), Scalar(2), Scalar(1), In(MakeScalar<int64_t>(2))});
  };
  EXPECT_EQ(run(1), Code::kOk);
  EXPECT_EQ(Values<double>(g), Doubles({1, 10}));
  EXPECT_EQ(Values<double>(q), Doubles({0, 16}));
  EXPECT_EQ(Values<double>(v), Doubles({5, -1.5}));
  EXPECT_EQ(run(2), Code::kInvalidArgument);
}

TEST(AdagradDa, AfterNoStepByRowsThereIsNoMean) {
  for (const bool by_rows : {false, true}) {
    KernelHarness harness;
    const Entry v = Slot(harness, {5}), g = Slot(harness, {7}), q = Slot(harness, {7});
    const Entry none = In(MakeScalar<int64_t>(0)), first = In(MakeVector<int32_t>({0}));
    if (by_rows) {
      harness.Run("SparseApplyAdagradDA", {v, g, q, Gradient({3}), first, Scalar(2), Scalar(2), Scalar(1), none});
      EXPECT_TRUE(std::isnan(Values<double>(v)[0]));
    } else {
      harness.Run("ApplyAdagradDA", {v, g, q, Gradient({3}), Scalar(2), Scalar(2), Scalar(1), none});
      EXPECT_EQ(Values<double>(v), Doubles({-5}));  // −2·10/4
    }
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
