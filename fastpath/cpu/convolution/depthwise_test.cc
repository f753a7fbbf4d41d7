#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

AttrMap Attrs(const char* padding, int64_t rows = 1, int64_t columns = 1) {
  return {{"padding", padding}, {"strides", Ints{1, rows, columns, 1}}};
}

// Two channels, each under two filters of its own.
TEST(Depthwise, EveryChannelHasItsOwnFilters) {
  const Tensor x = MakeTensor<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor w = MakeTensor<float>({1, 2, 2, 2}, {1, 10, 100, 1000, 2, 20, 200, 2000});
  EXPECT_EQ(Values<float>(RunKernel1("DepthwiseConv2dNative", {x, w}, Attrs("VALID"))),
            Floats({1 + 6, 10 + 60, 200 + 800, 2000 + 8000}));
  EXPECT_EQ(Values<float>(RunKernel1("DepthwiseConv2dNative", {x, w}, Attrs("SAME"))),
            Floats({7, 70, 1000, 10000, 3, 30, 400, 4000}));
}

TEST(Depthwise, GradientsGoBackTheSameWay) {
  const Tensor x = MakeTensor<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor w = MakeTensor<float>({1, 2, 2, 2}, {1, 10, 100, 1000, 2, 20, 200, 2000});
  const Tensor dy = MakeTensor<float>({1, 1, 1, 4}, {1, 2, 3, 4});
  const Tensor input = MakeVector<int32_t>({1, 1, 2, 2}), filter = MakeVector<int32_t>({1, 2, 2, 2});
  EXPECT_EQ(Values<float>(RunKernel1("DepthwiseConv2dNativeBackpropInput", {input, w, dy}, Attrs("VALID"))),
            Floats({21, 4300, 42, 8600}));
  EXPECT_EQ(Values<float>(RunKernel1("DepthwiseConv2dNativeBackpropFilter", {x, filter, dy}, Attrs("VALID"))),
            Floats({1, 2, 6, 8, 3, 6, 12, 16}));
}

// The loops take whole vectors of channels, and what is left.
TEST(Depthwise, TakesChannelsOfEveryNumber) {
  for (int64_t channels = 1; channels <= 67; ++channels) {
    Tensor x(DType::kFloat, {1, 1, 2, channels}), w(DType::kFloat, {1, 2, channels, 1});
    for (int64_t i = 0; i < 2 * channels; ++i) {
      x.mutable_data<float>()[static_cast<size_t>(i)] = static_cast<float>(i % channels + 1);
      w.mutable_data<float>()[static_cast<size_t>(i)] = static_cast<float>(i / channels + 1);
    }
    const Tensor y = RunKernel1("DepthwiseConv2dNative", {x, w}, Attrs("VALID"));
    for (int64_t c = 0; c < channels; ++c) {
      ASSERT_EQ(y.data<float>()[static_cast<size_t>(c)], static_cast<float>(3 * (c + 1))) << channels;
    }
  }
}

TEST(Depthwise, RefusesWhatDoesNotFit) {
  const Tensor x = Zeros(DType::kFloat, {1, 3, 3, 2}), w = Zeros(DType::kFloat, {2, 2, 2, 1});
  EXPECT_EQ(CodeOfKernel("DepthwiseConv2dNative", {x, w}, Attrs("SAME", 1, 2)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DepthwiseConv2dNative", {x, Zeros(DType::kFloat, {2, 2, 3, 1})}, Attrs("SAME")),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DepthwiseConv2dNativeBackpropFilter", {x, MakeVector<int32_t>({2, 2, 2}), x}, Attrs("SAME")),
            Code::kInvalidArgument);
  EXPECT_EQ(
      CodeOfKernel("DepthwiseConv2dNativeBackpropInput", {MakeVector<int32_t>({1, 3, 3, 3}), w, x}, Attrs("SAME")),
      Code::kInvalidArgument);
}

// Images are added up in blocks, pairs of them within a block at once.
TEST(Depthwise, AddsUpImagesOfEveryNumber) {
  const Tensor filter = MakeVector<int32_t>({1, 1, 1, 3});
  for (const int64_t batch : {1, 2, 3, 255, 256, 257, 600}) {
    Tensor x(DType::kFloat, {batch, 1, 1, 1}), dy(DType::kFloat, {batch, 1, 1, 3});
    for (int64_t n = 0; n < batch; ++n) {
      x.mutable_data<float>()[static_cast<size_t>(n)] = static_cast<float>(n % 5);
      for (int64_t q = 0; q < 3; ++q)
        dy.mutable_data<float>()[static_cast<size_t>(3 * n + q)] = static_cast<float>(q + 1);
    }
    float sum = 0;
    for (int64_t n = 0; n < batch; ++n) sum += static_cast<float>(n % 5);
    EXPECT_EQ(Values<float>(RunKernel1("DepthwiseConv2dNativeBackpropFilter", {x, filter, dy}, Attrs("VALID"), 2)),
              Floats({sum, 2 * sum, 3 * sum}));
  }
}

// Short rows of several images are taken together, and long ones by themselves.
TEST(Depthwise, TakesEachImageByItself) {
  for (const int64_t columns : {2, 5000}) {
    const Tensor w = MakeTensor<float>({1, 2, 1, 1}, {1, 10}), sizes = MakeVector<int32_t>({3000, 1, 2, 1});
    const int64_t batch = columns == 2 ? 3000 : 3;
    Tensor x(DType::kFloat, {batch, 1, columns, 1});
    for (int64_t i = 0; i < batch * columns; ++i) {
      x.mutable_data<float>()[static_cast<size_t>(i)] = static_cast<float>(i % 7);
    }
    const Tensor y = RunKernel1("DepthwiseConv2dNative", {x, w}, Attrs("VALID"), 2);
    ASSERT_EQ(y.elements(), batch * (columns - 1));
    for (int64_t i = 0; i < y.elements(); ++i) {
      const int64_t at = i / (columns - 1) * columns + i % (columns - 1);
      ASSERT_EQ(y.data<float>()[static_cast<size_t>(i)], static_cast<float>(at % 7 + 10 * ((at + 1) % 7)));
    }
    if (columns != 2) continue;
    const Tensor dx = RunKernel1("DepthwiseConv2dNativeBackpropInput", {sizes, w, y}, Attrs("VALID"), 2);
    for (size_t i = 0; i < 6000; ++i) {
      ASSERT_EQ(dx.data<float>()[i], y.data<float>()[i / 2] * (i % 2 == 0 ? 1.0F : 10.0F));
    }
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
