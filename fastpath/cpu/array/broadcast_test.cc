#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(BroadcastGradientArgs, NameTheAxesThatWereRepeated) {
  auto axes = RunKernel("BroadcastGradientArgs", {Vector({2, 1, 3}), Vector({5, 3})});
  EXPECT_EQ(Ints(axes[0]), (I{1}));
  EXPECT_EQ(Ints(axes[1]), (I{0}));
  axes = RunKernel("BroadcastGradientArgs", {Vector({1, 2}), Vector({1, 2})});
  EXPECT_EQ(axes[0].elements() + axes[1].elements(), 0);
  EXPECT_EQ(CodeOfKernel("BroadcastGradientArgs", {Vector({2}), Vector({3})}), Code::kInvalidArgument);
}

TEST(BroadcastTo, ComparesShapesWithoutElementsToo) {
  EXPECT_EQ(CodeOfKernel("BroadcastTo", {Vector({1, 2}), Vector({0})}), Code::kInvalidArgument);
  EXPECT_EQ(RunKernel1("BroadcastTo", {Vector({1}), Vector({2, 0})}).shape(), Shape({2, 0}));
  EXPECT_EQ(CodeOfKernel("BroadcastTo", {Vector({1}), MakeScalar<int32_t>(3)}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
