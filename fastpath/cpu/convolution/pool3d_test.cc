#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

AttrMap Attrs(const char* padding, int64_t size, int64_t stride) {
  return {
      {"ksize", Ints{1, size, size, size, 1}}, {"strides", Ints{1, stride, stride, stride, 1}}, {"padding", padding}};
}
Tensor Line() { return MakeTensor<float>({1, 1, 1, 4, 1}, {1, 5, 5, 2}); }

TEST(Pool3D, TakesTheLargestAndTheMeanOfEachWindow) {
  EXPECT_EQ(Values<float>(RunKernel1("MaxPool3D", {Line()}, Attrs("SAME", 2, 2))), Floats({5, 5}));
  EXPECT_EQ(Values<float>(RunKernel1("AvgPool3D", {Line()}, Attrs("SAME", 2, 1))), Floats({3, 5, 3.5, 2}));
}

// Windows of 1 to 8 pixels, of few channels and of more than several vectors.
TEST(Pool3D, TakesWindowsOfEverySizeOfAnyNumberOfChannels) {
  constexpr int64_t kSide = 3;
  const auto number = [](int64_t pixel, int64_t c) { return static_cast<float>((pixel * 31 + c * 17) % 101 - 50); };
  for (const int64_t channels : {1, 15, 63, 64, 65, 140}) {
    Floats x, largest, means;
    for (int64_t i = 0; i < kSide * kSide * kSide * channels; ++i) x.push_back(number(i / channels, i % channels));
    for (int64_t at = 0; at < kSide * kSide * kSide; ++at) {
      for (int64_t c = 0; c < channels; ++c) {
        float most = -1000, sum = 0, count = 0;
        for (int64_t k = at / 9; k < std::min(kSide, at / 9 + 2); ++k) {
          for (int64_t l = at / 3 % 3; l < std::min(kSide, at / 3 % 3 + 2); ++l) {
            for (int64_t m = at % 3; m < std::min(kSide, at % 3 + 2); ++m, ++count) {
              most = std::max(most, number(k * 9 + l * 3 + m, c));
              sum += number(k * 9 + l * 3 + m, c);
            }
          }
        }
        largest.push_back(most);
        means.push_back(sum / count);
      }
    }
    const Tensor input = MakeTensor<float>({1, kSide, kSide, kSide, channels}, std::span<const float>(x));
    ASSERT_EQ(Values<float>(RunKernel1("MaxPool3D", {input}, Attrs("SAME", 2, 1))), largest);
    ASSERT_EQ(Values<float>(RunKernel1("AvgPool3D", {input}, Attrs("SAME", 2, 1))), means);
  }
}

TEST(Pool3D, EveryElementThatComesCloseGetsTheGradient) {
  const Tensor y = MakeTensor<float>({1, 1, 1, 1, 1}, {5}), dy = MakeTensor<float>({1, 1, 1, 1, 1}, {3});
  const Tensor x = MakeTensor<float>({1, 1, 1, 4, 1}, {1, 5, 5, 4.999995F});
  EXPECT_EQ(Values<float>(RunKernel1("MaxPool3DGrad", {x, y, dy}, Attrs("SAME", 4, 4))), Floats({0, 3, 3, 3}));
  const Tensor values = MakeTensor<float>({1, 1, 1, 4, 1}, {10, 11, 12, 13});
  EXPECT_EQ(Values<float>(RunKernel1("MaxPool3DGradGrad", {x, y, values}, Attrs("SAME", 4, 4))), Floats({11}));
}

TEST(Pool3D, AMeanSpreadsItsGradientEqually) {
  const Tensor shape = MakeVector<int32_t>({1, 1, 1, 4, 1}), dy = MakeTensor<float>({1, 1, 1, 2, 1}, {4, 2});
  EXPECT_EQ(Values<float>(RunKernel1("AvgPool3DGrad", {shape, dy}, Attrs("SAME", 2, 2))), Floats({2, 2, 1, 1}));
}

TEST(Pool3D, RefusesWhatDoesNotFit) {
  EXPECT_EQ(CodeOfKernel("MaxPool3D", {Line()}, Attrs("SAME", 0, 1)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MaxPool3D", {Zeros(DType::kFloat, {1, 1, 4, 1})}, Attrs("SAME", 1, 1)),
            Code::kInvalidArgument);
  const Tensor none = Zeros(DType::kFloat, {0, 1, 1, 4, 1});
  EXPECT_EQ(CodeOfKernel("MaxPool3DGradGrad", {none, none, none}, Attrs("SAME", 1, 1)), Code::kInvalidArgument);
  AttrMap batch = Attrs("SAME", 1, 1);
  batch["ksize"] = Ints{2, 1, 1, 1, 1};
  EXPECT_EQ(CodeOfKernel("AvgPool3D", {Line()}, batch), Code::kUnimplemented);
}

}  // namespace
}  // namespace plumb::fast::cpu
