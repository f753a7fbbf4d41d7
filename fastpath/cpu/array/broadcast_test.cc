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

// A size of 1 gives way to any other, zero too; two others must be equal.
TEST(BroadcastArgs, GivesTheShapeThatOperandsHaveTogether) {
  for (int32_t a = 0; a < 4; ++a) {
    for (int32_t b = 0; b < 4; ++b) {
      const bool fits = a == b || a == 1 || b == 1;
      const int32_t size = a == 1 ? b : a;
      const Tensor x(DType::kFloat, {2, a}), y(DType::kFloat, {b});
      if (fits) {
        EXPECT_EQ(Ints(RunKernel1("BroadcastArgs", {Vector({2, a}), Vector({b})})), (I{2, size})) << a << " " << b;
        EXPECT_EQ(Ints(RunKernel1("BroadcastArgs", {Vector({b}), Vector({2, a})})), (I{2, size})) << a << " " << b;
        EXPECT_EQ(RunKernel1("AddV2", {x, y}).shape(), Shape({2, size})) << a << " " << b;
      } else {
        EXPECT_EQ(CodeOfKernel("BroadcastArgs", {Vector({2, a}), Vector({b})}), Code::kInvalidArgument);
        EXPECT_EQ(CodeOfKernel("AddV2", {x, y}), Code::kInvalidArgument);
      }
    }
  }
}

TEST(BroadcastTo, ComparesShapesWithoutElementsToo) {
  EXPECT_EQ(CodeOfKernel("BroadcastTo", {Vector({1, 2}), Vector({0})}), Code::kInvalidArgument);
  EXPECT_EQ(RunKernel1("BroadcastTo", {Vector({1}), Vector({2, 0})}).shape(), Shape({2, 0}));
  EXPECT_EQ(CodeOfKernel("BroadcastTo", {Vector({1}), MakeScalar<int32_t>(3)}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
