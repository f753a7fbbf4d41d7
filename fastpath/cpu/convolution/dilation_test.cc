#include <gtest/gtest.h>

#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

AttrMap Attrs(const char* padding, int64_t stride = 1, int64_t rate = 1) {
  return {{"padding", padding}, {"strides", Ints{1, stride, stride, 1}}, {"rates", Ints{1, rate, rate, 1}}};
}
Tensor Row() { return MakeTensor<float>({1, 1, 4, 1}, {1, 4, 2, 3}); }
Tensor Filter() { return MakeTensor<float>({1, 2, 1}, {0, 3}); }

TEST(Dilation, TakesTheLargestSumOfEachWindow) {
  EXPECT_EQ(Values<float>(RunKernel1("Dilation2D", {Row(), Filter()}, Attrs("VALID"))), Floats({7, 5, 6}));
  EXPECT_EQ(Values<float>(RunKernel1("Dilation2D", {Row(), Filter()}, Attrs("SAME"))), Floats({7, 5, 6, 3}));
  EXPECT_EQ(Values<float>(RunKernel1("Dilation2D", {Row(), Filter()}, Attrs("VALID", 1, 2))), Floats({5, 6}));
}

TEST(Dilation, GradientsGoToTheFirstOfTheLargest) {
  const Tensor dy = MakeTensor<float>({1, 1, 3, 1}, {10, 20, 30});
  EXPECT_EQ(Values<float>(RunKernel1("Dilation2DBackpropInput", {Row(), Filter(), dy}, Attrs("VALID"))),
            Floats({0, 10, 20, 30}));
  EXPECT_EQ(Values<float>(RunKernel1("Dilation2DBackpropFilter", {Row(), Filter(), dy}, Attrs("VALID"))),
            Floats({0, 60}));
  const Tensor flat = MakeTensor<float>({1, 2, 1}, {0, 0});
  EXPECT_EQ(Values<float>(RunKernel1("Dilation2DBackpropFilter", {Row(), flat, dy}, Attrs("VALID"))), Floats({20, 40}));
}

TEST(Dilation, WhereNoSumIsTheLargestTheFirstPlaceGetsTheGradient) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const Tensor x = MakeTensor<float>({1, 1, 2, 1}, {kNan, kNan}), dy = MakeTensor<float>({1, 1, 1, 1}, {5});
  EXPECT_EQ(Values<float>(RunKernel1("Dilation2DBackpropInput", {x, Filter(), dy}, Attrs("VALID"))), Floats({5, 0}));
  EXPECT_EQ(Values<float>(RunKernel1("Dilation2DBackpropFilter", {x, Filter(), dy}, Attrs("VALID"))), Floats({5, 0}));
}

TEST(Dilation, RefusesWhatDoesNotFit) {
  EXPECT_EQ(CodeOfKernel("Dilation2D", {Row(), Zeros(DType::kFloat, {1, 2, 2})}, Attrs("SAME")),
            Code::kInvalidArgument);
  AttrMap batch = Attrs("SAME");
  batch["rates"] = Ints{2, 1, 1, 1};
  EXPECT_EQ(CodeOfKernel("Dilation2D", {Row(), Filter()}, batch), Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("Dilation2DBackpropInput", {Row(), Filter(), Row()}, Attrs("VALID")), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
