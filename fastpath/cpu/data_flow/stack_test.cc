#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
Entry Index(int32_t index) { return In(MakeScalar(index)); }
Entry Vector(std::initializer_list<float> values) { return In(MakeVector<float>(values)); }

// K1.
TEST(Stack, GivesBackTheLastValueFirst) {
  KernelHarness harness;
  const AttrMap type = {{"elem_type", DType::kFloat}};
  const Entry stack = harness.Run("StackV2", {Index(2)}, type)[0];
  EXPECT_EQ(Values<float>(harness.Value("StackPushV2", {stack, Vector({1})})), Floats({1}));
  harness.Run("StackPushV2", {stack, Vector({2, 3})});
  EXPECT_EQ(harness.CodeOf("StackPushV2", {stack, Vector({4})}), Code::kInvalidArgument);  // full
  EXPECT_EQ(Values<float>(harness.Value("StackPopV2", {stack}, type)), Floats({2, 3}));
  EXPECT_EQ(Values<float>(harness.Value("StackPopV2", {stack}, type)), Floats({1}));
  EXPECT_EQ(harness.CodeOf("StackPopV2", {stack}, type), Code::kInvalidArgument);  // empty
}

TEST(Stack, ChecksTypesAndUseAfterClose) {
  KernelHarness harness;
  const AttrMap type = {{"elem_type", DType::kFloat}};
  const Entry stack = harness.Run("StackV2", {Index(-1)}, type)[0];
  EXPECT_EQ(harness.CodeOf("StackPushV2", {stack, Index(1)}), Code::kInvalidArgument);
  harness.Run("StackPushV2", {stack, Vector({1})});
  EXPECT_EQ(harness.CodeOf("StackPopV2", {stack}, {{"elem_type", DType::kInt32}}), Code::kInternal);  // T5
  harness.Run("StackCloseV2", {stack});
  EXPECT_EQ(harness.CodeOf("StackPushV2", {stack, Vector({1})}), Code::kInvalidArgument);
  EXPECT_EQ(harness.CodeOf("StackPopV2", {stack}, type), Code::kInvalidArgument);
}

TEST(Stack, EveryExecutionMakesAStackOfItsOwn) {
  KernelHarness harness;
  const AttrMap type = {{"elem_type", DType::kFloat}};
  const Entry a = harness.Run("stack", "StackV2", {Index(-1)}, type)[0];
  const Entry b = harness.Run("stack", "StackV2", {Index(-1)}, type)[0];
  harness.Run("StackPushV2", {a, Vector({1})});
  EXPECT_EQ(harness.CodeOf("StackPopV2", {b}, type), Code::kInvalidArgument);
}

TEST(Stack, TheOldFormTakesReferences) {
  KernelHarness harness;
  const AttrMap type = {{"elem_type", DType::kFloat}};
  const Entry stack = harness.Run("Stack", {}, type)[0];
  harness.Run("StackPush", {stack, Vector({1})});
  EXPECT_EQ(Values<float>(harness.Value("StackPop", {stack}, type)), Floats({1}));
  harness.Run("StackClose", {stack});
  EXPECT_EQ(harness.CodeOf("StackPop", {stack}, type), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
