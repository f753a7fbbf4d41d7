#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

AttrMap Attrs(const char* padding, int64_t size, int64_t stride) {
  return {{"ksize", Ints{1, size, size, 1}}, {"strides", Ints{1, stride, stride, 1}}, {"padding", padding}};
}

Tensor Square() { return MakeTensor<float>({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}); }

TEST(AvgPool, CountsOnlyElementsOfTheImage) {
  EXPECT_EQ(Values<float>(RunKernel1("AvgPool", {Square()}, Attrs("VALID", 2, 1))), Floats({3, 4, 6, 7}));
  EXPECT_EQ(Values<float>(RunKernel1("AvgPool", {Square()}, Attrs("SAME", 2, 2))), Floats({3, 4.5, 7.5, 9}));
}

TEST(MaxPoolV2, SaysWhichWindowsItRefuses) {
  const Tensor ksize = MakeVector<int32_t>({1, 2, 3, 1}), strides = MakeVector<int32_t>({1, 1, 0, 1});
  try {
    RunKernel1("MaxPoolV2", {Square(), ksize, strides}, {{"padding", "SAME"}});
    FAIL() << "all windows lie in one place";
  } catch (const Error& error) {
    EXPECT_NE(error.status().message().find("windows of the size 3, 0 apart"), std::string::npos) << error.what();
  }
}

TEST(AvgPoolGrad, RefusesWindowsThatHoldNothing) {
  const Tensor shape = MakeVector<int32_t>({1, 3, 3, 1});
  for (const size_t axis : {1, 2}) {
    AttrMap attrs = Attrs("SAME", 2, 1);
    Ints ksize = {1, 2, 2, 1};
    ksize[axis] = -3;
    attrs["ksize"] = ksize;
    EXPECT_EQ(CodeOfKernel("AvgPoolGrad", {shape, Square()}, attrs), Code::kInvalidArgument) << axis;
  }
}

TEST(AvgPoolGrad, SpreadsEqually) {
  const Tensor shape = MakeVector<int32_t>({1, 3, 3, 1}), dy = MakeTensor<float>({1, 2, 2, 1}, {4, 2, 2, 1});
  EXPECT_EQ(Values<float>(RunKernel1("AvgPoolGrad", {shape, dy}, Attrs("SAME", 2, 2))),
            Floats({1, 1, 1, 1, 1, 1, 1, 1, 1}));
}

// The four pixels of a window hold 4c, 4c + 4, 4c + 8 and 4c + 12 in channel c.
TEST(AvgPool, TakesChannelsOfEveryNumber) {
  for (int64_t channels = 1; channels <= 67; ++channels) {
    Tensor x(DType::kFloat, {1, 2, 2, channels}), dy(DType::kFloat, {1, 1, 1, channels});
    for (int64_t i = 0; i < x.elements(); ++i) {
      x.mutable_data<float>()[static_cast<size_t>(i)] = static_cast<float>(4 * (i % channels + i / channels));
    }
    for (int64_t c = 0; c < channels; ++c) {
      dy.mutable_data<float>()[static_cast<size_t>(c)] = static_cast<float>(4 * c);
    }
    const Tensor mean = RunKernel1("AvgPool", {x}, Attrs("VALID", 2, 2));
    const Tensor most = RunKernel1("MaxPool", {x}, Attrs("VALID", 2, 2));
    const Tensor shape = MakeVector<int32_t>({1, 2, 2, static_cast<int32_t>(channels)});
    const Tensor shares = RunKernel1("AvgPoolGrad", {shape, dy}, Attrs("VALID", 2, 2));
    const Tensor winners = RunKernel1("MaxPoolGrad", {x, most, dy}, Attrs("VALID", 2, 2));
    for (int64_t i = 0; i < x.elements(); ++i) {
      const auto c = static_cast<size_t>(i % channels), at = static_cast<size_t>(i);
      ASSERT_EQ(mean.data<float>()[c], static_cast<float>(4 * c + 6)) << channels;
      ASSERT_EQ(most.data<float>()[c], static_cast<float>(4 * c + 12)) << channels;
      ASSERT_EQ(shares.data<float>()[at], static_cast<float>(c)) << channels;
      ASSERT_EQ(winners.data<float>()[at], i / channels == 3 ? static_cast<float>(4 * c) : 0) << channels;
    }
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
