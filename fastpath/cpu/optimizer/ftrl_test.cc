#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/optimizer_harness.h"

namespace plumb::fast::cpu {
namespace {

TEST(Ftrl, ShrinksSmallLinearTermsToZero) {  // R66, lr_power −1/2 and −1
  KernelHarness harness;
  const auto apply = [&](const Entry& v, const Entry& n, const Entry& z, double power) {
    harness.Run("ApplyFtrl", {v, n, z, Gradient({3, 0.5}), Scalar(0.5), Scalar(1), Scalar(2), Scalar(power)});
  };
  const Entry v = Slot(harness, {1, 1}), n = Slot(harness, {16, 0}), z = Slot(harness, {0, 0});
  apply(v, n, z, -0.5);
  EXPECT_EQ(Values<double>(n), Doubles({25, 0.25}));
  EXPECT_EQ(Values<double>(z), Doubles({3 - 2 * (5 - 4), 0.5 - 2 * 0.5}));
  EXPECT_EQ(Values<double>(v), Doubles({0, 0}));  // |1| and |−1/2| do not exceed l1
  const Entry w = Slot(harness, {1, 1}), nw = Slot(harness, {7, 0.75}), zw = Slot(harness, {40, -5});
  apply(w, nw, zw, -1);
  EXPECT_EQ(Values<double>(zw), Doubles({40 + 3 - 2 * 9, -5 + 0.5 - 2 * 0.25}));
  EXPECT_EQ(Values<double>(w), Doubles({(1.0 - 25) / (32 + 4), (-1.0 + 5) / (2 + 4)}));
}

TEST(Ftrl, ShrinkagePullsTheLinearSlotAlone) {  // R66
  KernelHarness harness;
  const Entry v = Slot(harness, {1}), n = Slot(harness, {16}), z = Slot(harness, {0});
  harness.Run("ApplyFtrlV2", {v, n, z, Gradient({3}), Scalar(1), Scalar(0), Scalar(0), Scalar(0.5), Scalar(-0.5)});
  EXPECT_EQ(Values<double>(z), Doubles({3}));  // (3 + 2·0.5·1) − (√25 − √16)·1
  EXPECT_EQ(Values<double>(n), Doubles({25}));
  EXPECT_EQ(Values<double>(v), Doubles({-3.0 / 5}));
}

TEST(Ftrl, WhoseGradientIsTheVariableSeesWhatItWrote) {  // R59: the last statement adds the square of what v has become
  for (const double power : {-0.5, -1.0}) {
    KernelHarness harness;
    const Entry v = Slot(harness, {4}), n = Slot(harness, {9}), z = Slot(harness, {0});
    harness.Run("ApplyFtrl", {v, n, z, In(v.ref->Read("test")), Scalar(1), Scalar(64), Scalar(0), Scalar(power)});
    EXPECT_EQ(Values<double>(v), Doubles({0})) << power;
    EXPECT_EQ(Values<double>(n), Doubles({9})) << power;
  }
}

TEST(Ftrl, WithShrinkageByRowsChangesTheirRowsAlone) {  // R66, R68: z = g, √n = 3
  KernelHarness harness;
  const Entry v = Slot(harness, {0, 0}), n = Slot(harness, {0, 0}), z = Slot(harness, {0, 0});
  harness.Run("SparseApplyFtrlV2", {v, n, z, Gradient({3}), In(MakeVector<int32_t>({1})), Scalar(1), Scalar(0),
                                    Scalar(0), Scalar(0), Scalar(-0.5)});
  EXPECT_EQ(Values<double>(v), Doubles({0, -1}));
}

TEST(Ftrl, ByRowsRefusesRowsWithoutElements) {  // R68
  KernelHarness harness;
  const auto slot = [&] { return harness.Ref(Zeros(DType::kDouble, {3, 0})); };
  const Entry none = In(Zeros(DType::kDouble, {1, 0})), row = In(MakeVector<int32_t>({1}));
  EXPECT_EQ(harness.CodeOf("SparseApplyFtrl",
                           {slot(), slot(), slot(), none, row, Scalar(1), Scalar(0), Scalar(0), Scalar(-0.5)}),
            Code::kInvalidArgument);
}

// As TensorFlow 2.12.1 answers: 0 / 0 and NaN by rows, zeros in dense variables.
TEST(Ftrl, ByRowsDividesAlsoWhereNothingIsLeft) {  // R66
  for (const bool by_rows : {false, true}) {
    KernelHarness harness;
    const Entry v = Slot(harness, {5, 5, 5}), n = Slot(harness, {0, 1, 1}), z = Slot(harness, {0, NAN, 0.5});
    std::vector<Entry> inputs = {v, n, z, Gradient({0, 0, 0})};
    if (by_rows) inputs.push_back(In(MakeVector<int32_t>({0, 1, 2})));
    for (const double number : {1.0, 1.0, 0.0, -0.5}) inputs.push_back(Scalar(number));
    harness.Run(by_rows ? "SparseApplyFtrl" : "ApplyFtrl", inputs);
    const std::vector<double> after = Values<double>(v);
    EXPECT_EQ(std::isnan(after[0]), by_rows) << "0 / 0";
    EXPECT_EQ(std::isnan(after[1]), by_rows) << "linear is NaN";
    EXPECT_EQ(after[2], 0);
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
