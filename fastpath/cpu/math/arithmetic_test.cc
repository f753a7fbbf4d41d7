#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
using F = std::vector<float>;

Tensor Ramp(int64_t n, float from, float step) {
  Tensor x(DType::kFloat, Shape({n}));
  for (int64_t i = 0; i < n; ++i) x.mutable_data<float>()[static_cast<size_t>(i)] = from + step * static_cast<float>(i);
  return x;
}

TEST(Math, CrossTakesVectorsOfThree) {
  EXPECT_EQ(CodeOfKernel("Cross", {Ramp(3, 1, 1), Ramp(3, 1, 1)}), Code::kOk);
  EXPECT_EQ(CodeOfKernel("Cross", {Ramp(4, 1, 1), Ramp(4, 1, 1)}), Code::kFailedPrecondition);
  EXPECT_EQ(CodeOfKernel("Cross", {Ramp(4, 1, 1), Ramp(3, 1, 1)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Cross", {MakeScalar(1.0f), MakeScalar(1.0f)}), Code::kInvalidArgument);
}

TEST(Math, EveryTailLengthIsComputedWhole) {
  for (int64_t n = 0; n <= 67; ++n) {
    const Tensor x = Ramp(n, 1, 1), sum = RunKernel1("AddV2", {x, x});
    const Tensor square = RunKernel1("Square", {x}), less = RunKernel1("Sub", {MakeScalar(1.0f), x});
    for (int64_t i = 0; i < n; ++i) {
      const float value = static_cast<float>(i + 1);
      EXPECT_EQ(sum.data<float>()[static_cast<size_t>(i)], 2 * value);
      EXPECT_EQ(square.data<float>()[static_cast<size_t>(i)], value * value);
      EXPECT_EQ(less.data<float>()[static_cast<size_t>(i)], 1 - value);
    }
  }
}

TEST(Math, MaximumPropagatesNaNFromEitherSideAndKeepsTheFirstOfEquals) {
  const Tensor x = MakeVector<float>({kNaN, 1, 0.0f, -0.0f, 3}), y = MakeVector<float>({1, kNaN, -0.0f, 0.0f, 2});
  const Tensor max = RunKernel1("Maximum", {x, y}), min = RunKernel1("Minimum", {x, y});
  EXPECT_TRUE(std::isnan(max.data<float>()[0]) && std::isnan(max.data<float>()[1]));
  EXPECT_TRUE(std::isnan(min.data<float>()[0]) && std::isnan(min.data<float>()[1]));
  EXPECT_FALSE(std::signbit(max.data<float>()[2]));
  EXPECT_TRUE(std::signbit(max.data<float>()[3]));
  EXPECT_EQ(max.data<float>()[4], 3);
  EXPECT_EQ(min.data<float>()[4], 2);
}

TEST(Math, IntegersWrapAndDivideAsTensorFlowDoes) {
  const int32_t least = std::numeric_limits<int32_t>::min();
  EXPECT_EQ(RunKernel1("Add", {MakeScalar(std::numeric_limits<int32_t>::max()), MakeScalar(1)}).scalar<int32_t>(),
            least);
  EXPECT_EQ(RunKernel1("Neg", {MakeScalar(least)}).scalar<int32_t>(), least);
  EXPECT_EQ(RunKernel1("Div", {MakeScalar(least), MakeScalar(-1)}).scalar<int32_t>(), least);
  using I = std::vector<int32_t>;
  const Tensor x = MakeVector<int32_t>({7, -7, 7, -7}), y = MakeVector<int32_t>({2, 2, -2, -2});
  EXPECT_EQ(Values<int32_t>(RunKernel1("Div", {x, y})), (I{3, -3, -3, 3}));
  EXPECT_EQ(Values<int32_t>(RunKernel1("FloorDiv", {x, y})), (I{3, -4, -4, 3}));
  EXPECT_EQ(Values<int32_t>(RunKernel1("FloorMod", {x, y})), (I{1, 1, -1, -1}));
  EXPECT_EQ(Values<float>(RunKernel1("FloorMod", {MakeVector<float>({7, -7}), MakeScalar(2.5f)})), (F{2, 0.5f}));
  for (const char* op : {"Div", "FloorDiv", "FloorMod"}) {
    EXPECT_EQ(CodeOfKernel(op, {x, MakeScalar(0)}), Code::kInvalidArgument) << op;
  }
  EXPECT_EQ(CodeOfKernel("Mod", {x, MakeScalar(0)}), Code::kInvalidArgument);
  for (const char* op : {"TruncateDiv", "TruncateMod"}) {  // N9
    EXPECT_EQ(CodeOfKernel(op, {x, MakeScalar(0)}), Code::kInternal) << op;
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
