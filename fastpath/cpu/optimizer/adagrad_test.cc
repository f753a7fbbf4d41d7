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

TEST(Adagrad, AddsEpsilonToTheRootInItsSecondVersion) {  // R62, R68
  KernelHarness harness;
  const Entry v = Slot(harness, {1}), a = Slot(harness, {5});
  harness.Run("ApplyAdagradV2", {v, a, Scalar(3), Scalar(1), Gradient({2})});
  EXPECT_EQ(Values<double>(a), Doubles({9}));
  EXPECT_EQ(Values<double>(v), Doubles({1 - 3.0 * 2 / (3 + 1)}));
  harness.Run("ApplyAdagradV2", {v, a, Scalar(3), Scalar(1), Gradient({2})}, {{"update_slots", false}});
  EXPECT_EQ(Values<double>(a), Doubles({9}));
  EXPECT_EQ(Values<double>(v), Doubles({-2}));
  const Entry row = In(MakeVector<int32_t>({1}));
  const Entry rows = Slot(harness, {1, 1}), squares = Slot(harness, {0, 5});
  harness.Run("SparseApplyAdagradV2", {rows, squares, Scalar(3), Scalar(1), Gradient({2}), row});
  EXPECT_EQ(Values<double>(rows), Doubles({1, -0.5}));
  const Entry held = Handle(harness, {1, 1}), sums = Handle(harness, {5, 5});
  harness.Run("ResourceApplyAdagradV2", {held, sums, Scalar(3), Scalar(1), Gradient({2, 2})});
  EXPECT_EQ(Held(harness, held), Doubles({-0.5, -0.5}));
  harness.Run("ResourceSparseApplyAdagradV2", {held, sums, Scalar(3), Scalar(1), Gradient({2}), row},
              {{"update_slots", false}});
  EXPECT_EQ(Held(harness, held), Doubles({-0.5, -2}));
  EXPECT_EQ(Held(harness, sums), Doubles({9, 9}));
}

}  // namespace
}  // namespace plumb::fast::cpu
