#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;

AttrMap Attrs(int64_t bits, bool narrow = false) { return {{"num_bits", bits}, {"narrow_range", narrow}}; }

// Two bits make the places −1, 0, 1 and 2 out of the range [−1, 2].
TEST(FakeQuant, RoundsToPlacesOfTheRange) {
  const Tensor x = MakeVector<float>({-3, -0.6F, 0.4F, 1.5F, 7});
  const Tensor min = MakeScalar<float>(-1), max = MakeScalar<float>(2);
  EXPECT_EQ(Values<float>(RunKernel1("FakeQuantWithMinMaxVars", {x, min, max}, Attrs(2))), Floats({-1, -1, 0, 2, 2}));
  const Tensor zero = MakeScalar<float>(0);
  EXPECT_EQ(Values<float>(RunKernel1("FakeQuantWithMinMaxVars", {x, zero, zero}, Attrs(2))), Floats(5, 0));
  EXPECT_EQ(CodeOfKernel("FakeQuantWithMinMaxVars", {x, min, max}, Attrs(1)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("FakeQuantWithMinMaxVars", {x, x, max}, Attrs(2)), Code::kInvalidArgument);
}

TEST(FakeQuant, GradientsGoToTheInputOrToTheEnds) {
  const Tensor x = MakeVector<float>({-3, -0.6F, 0.4F, 1.5F, 7}), dy = MakeVector<float>({1, 2, 3, 4, 5});
  const Tensor min = MakeScalar<float>(-1), max = MakeScalar<float>(2);
  const auto grads = RunKernel("FakeQuantWithMinMaxVarsGradient", {dy, x, min, max}, Attrs(2));
  EXPECT_EQ(Values<float>(grads[0]), Floats({0, 2, 3, 4, 0}));
  EXPECT_EQ(Values<float>(grads[1]), Floats({1}));
  EXPECT_EQ(Values<float>(grads[2]), Floats({5}));
}

TEST(FakeQuant, ChannelsHaveRangesOfTheirOwn) {
  const Tensor x = MakeTensor<float>({2, 2}, {0.4F, 5, 1.6F, -5}), dy = MakeTensor<float>({2, 2}, {1, 2, 3, 4});
  const Tensor min = MakeVector<float>({-1, 0}), max = MakeVector<float>({2, 3});
  EXPECT_EQ(Values<float>(RunKernel1("FakeQuantWithMinMaxVarsPerChannel", {x, min, max}, Attrs(2))),
            Floats({0, 3, 2, 0}));
  const auto grads = RunKernel("FakeQuantWithMinMaxVarsPerChannelGradient", {dy, x, min, max}, Attrs(2));
  EXPECT_EQ(Values<float>(grads[0]), Floats({1, 0, 3, 0}));
  EXPECT_EQ(Values<float>(grads[1]), Floats({0, 4}));
  EXPECT_EQ(Values<float>(grads[2]), Floats({0, 2}));
  EXPECT_EQ(CodeOfKernel("FakeQuantWithMinMaxVarsPerChannel", {x, MakeScalar<float>(0), max}, Attrs(2)),
            Code::kInvalidArgument);
}

// A channel is rounded, and its gradients are summed, as if it stood alone, however many there are; one range is empty.
TEST(FakeQuant, ChannelsDoNotMeet) {
  for (const size_t channels : {3, 70}) {
    const size_t rows = 41;
    const auto width = static_cast<int64_t>(channels);
    Tensor x(DType::kFloat, {41, width}), min(DType::kFloat, {width}), max(DType::kFloat, {width});
    for (size_t i = 0; i < rows * channels; ++i) x.mutable_data<float>()[i] = static_cast<float>(i * 7 % 23) - 11;
    for (size_t c = 1; c < channels; ++c) {
      min.mutable_data<float>()[c] = -static_cast<float>(c % 8);
      max.mutable_data<float>()[c] = static_cast<float>(c % 5 + 1);
    }
    min.mutable_data<float>()[0] = max.mutable_data<float>()[0] = 0;
    const Floats y = Values<float>(RunKernel1("FakeQuantWithMinMaxVarsPerChannel", {x, min, max}, Attrs(3)));
    const auto grads = RunKernel("FakeQuantWithMinMaxVarsPerChannelGradient", {x, x, min, max}, Attrs(3));
    for (size_t c = 0; c < channels; ++c) {
      Tensor column(DType::kFloat, {41});
      for (size_t row = 0; row < rows; ++row) {
        column.mutable_data<float>()[row] = x.data<float>()[row * channels + c];
      }
      const Tensor low = MakeScalar<float>(min.data<float>()[c]), high = MakeScalar<float>(max.data<float>()[c]);
      const Floats alone = Values<float>(RunKernel1("FakeQuantWithMinMaxVars", {column, low, high}, Attrs(3)));
      const auto ends = RunKernel("FakeQuantWithMinMaxVarsGradient", {column, column, low, high}, Attrs(3));
      for (size_t row = 0; row < rows; ++row) {
        ASSERT_EQ(y[row * channels + c], alone[row]) << c;
        ASSERT_EQ(grads[0].data<float>()[row * channels + c], ends[0].data<float>()[row]) << c;
      }
      EXPECT_EQ(grads[1].data<float>()[c], ends[1].data<float>()[0]) << c;  // Whole numbers, so that no order matters.
      EXPECT_EQ(grads[2].data<float>()[c], ends[2].data<float>()[0]) << c;
    }
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
