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

TEST(Momentum, ByRowsTakesThemInOrder) {  // R68
  KernelHarness harness;
  const Entry v = Slot(harness, {1, 1}), a = Slot(harness, {0, 4});
  harness.Run("SparseApplyMomentum",
              {v, a, Scalar(0.5), Gradient({2, 2}), In(MakeVector<int32_t>({1, 1})), Scalar(0.25)});
  EXPECT_EQ(Values<double>(a), Doubles({0, 2.75}));
  EXPECT_EQ(Values<double>(v), Doubles({1, 1 - 0.5 * 3 - 0.5 * 2.75}));
}

TEST(Momentum, OfAVariableThatIsItsOwnSlotSeesWhatItWrote) {  // R59
  KernelHarness harness;
  const Entry v = Slot(harness, {1, 2, 3, 4, 5});
  harness.Run("ApplyMomentum", {v, v, Scalar(0.5), Gradient({2, 0, 2, 0, 2}), Scalar(0.25)});
  EXPECT_EQ(Values<double>(v), Doubles({1.125, 0.25, 1.375, 0.5, 1.625}));
}

TEST(Momentum, OfANarrowVariableThatIsItsOwnSlotSeesWhatItWrote) {  // R59
  KernelHarness harness;
  const Entry v = harness.Ref(MakeVector<BFloat16>({BFloat16(1.0f), BFloat16(2.0f)}));
  const auto scalar = [](float value) { return In(MakeScalar<BFloat16>(BFloat16(value))); };
  const Entry gradient = In(MakeVector<BFloat16>({BFloat16(2.0f), BFloat16(0.0f)}));
  harness.Run("ApplyMomentum", {v, v, scalar(0.5f), gradient, scalar(0.25f)});
  const auto left = Values<BFloat16>(v);
  EXPECT_EQ(static_cast<float>(left[0]), 1.125f);
  EXPECT_EQ(static_cast<float>(left[1]), 0.25f);
}

TEST(Momentum, ByRowsOfOneHandleChangesOneBuffer) {  // R59: a dense form leaves what its last role computed
  KernelHarness harness;
  const Entry v = Handle(harness, {3, 2}), rows = In(MakeVector<int32_t>({0, 0}));
  harness.Run("ResourceSparseApplyMomentum", {v, v, Scalar(0.5), Gradient({0.5, 1.5}), rows, Scalar(0.75)});
  EXPECT_EQ(Held(harness, v), Doubles({1.265625, 2})) << "as TensorFlow answers";
  const Entry dense = Handle(harness, {3});
  harness.Run("ResourceApplyMomentum", {dense, dense, Scalar(0.5), Gradient({0.5}), Scalar(0.75)});
  EXPECT_EQ(Held(harness, dense), Doubles({2.75}));
}

TEST(Momentum, OfKerasKeepsTheStep) {  // R61, R68
  KernelHarness harness;
  for (const bool nesterov : {false, true}) {
    const AttrMap attrs = {{"use_nesterov", nesterov}};
    const Entry v = Handle(harness, {1}), a = Handle(harness, {4});
    harness.Run("ResourceApplyKerasMomentum", {v, a, Scalar(0.5), Gradient({2}), Scalar(0.5)}, attrs);
    EXPECT_EQ(Held(harness, a), Doubles({1}));
    EXPECT_EQ(Held(harness, v), Doubles({nesterov ? 1 + (0.5 * 1 - 0.5 * 2) : 2}));
  }
  const Entry v = Handle(harness, {1, 1}), a = Handle(harness, {0, 4}), rows = In(MakeVector<int32_t>({1, 1}));
  harness.Run("ResourceSparseApplyKerasMomentum", {v, a, Scalar(0.5), Gradient({2, 2}), rows, Scalar(0.5)});
  EXPECT_EQ(Held(harness, a), Doubles({0, -0.5}));
  EXPECT_EQ(Held(harness, v), Doubles({1, 1.5}));
  const Entry outside = In(MakeVector<int32_t>({1, 2}));
  EXPECT_EQ(
      harness.CodeOf("ResourceSparseApplyKerasMomentum", {v, a, Scalar(0.5), Gradient({2, 2}), outside, Scalar(0.5)}),
      Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("ResourceApplyKerasMomentum", {v, a, Scalar(0.5), Gradient({2}), Scalar(0.5)}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
