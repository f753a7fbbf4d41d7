#include <gtest/gtest.h>

#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

AttrMap Frames(int64_t window, int64_t stride, bool squared) {
  return {{"window_size", window}, {"stride", stride}, {"magnitude_squared", squared}};
}
const Tensor kRamp = MakeTensor<float>({5, 1}, {1, 2, 3, 4, 5});

// The window is 0, 1/2, 1, 1/2: the first frame becomes 0, 1, 3, 2, with the sums 6, -3 + i and 0. Sums of four doubles
// are squared, and rounded once.
TEST(Spectrogram, FramesAreWeighedAndTransformed) {
  const Tensor squares = RunKernel1("AudioSpectrogram", {kRamp}, Frames(4, 1, true));
  EXPECT_EQ(squares.shape(), Shape({1, 2, 3}));
  const double expected[] = {36, 10, 0, 64, 17, 0};
  for (size_t i = 0; i < 6; ++i) {
    const double sums = 2 * 4 * std::numeric_limits<double>::epsilon() * expected[i / 3 * 3];
    const double rounded = std::numeric_limits<float>::epsilon() / 2 * expected[i];
    EXPECT_NEAR(Values<float>(squares)[i], expected[i], sums + rounded) << i;
  }
}

// Three samples are filled up to four, as TensorFlow 2.12.1 answers.
TEST(Spectrogram, WindowsAreFilledUp) {
  const Tensor sizes = RunKernel1("AudioSpectrogram", {kRamp}, Frames(3, 2, false));
  const float expected[] = {3.75F, 2.7041636F, 0.75F, 6.75F, 4.8023434F, 0.75F};
  EXPECT_EQ(sizes.shape(), Shape({1, 2, 3}));
  for (size_t i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(Values<float>(sizes)[i], expected[i]) << i;
}

TEST(Spectrogram, ChannelsComeFirst) {
  const Tensor sound = MakeTensor<float>({2, 2}, {5, 1, 7, 2});  // a window of 0, 1
  const Tensor sizes = RunKernel1("AudioSpectrogram", {sound}, Frames(2, 1, false));
  EXPECT_EQ(sizes.shape(), Shape({2, 1, 2}));
  EXPECT_EQ(Values<float>(sizes), (std::vector<float>{7, 7, 2, 2}));
  EXPECT_EQ(RunKernel1("AudioSpectrogram", {sound}, Frames(3, 1, false)).shape(), Shape({2, 0, 3}));
}

TEST(Spectrogram, RefusesWhatMakesNoFrames) {
  const auto code = [](const Tensor& sound, int64_t window, int64_t stride) {
    return CodeOfKernel("AudioSpectrogram", {sound}, Frames(window, stride, false));
  };
  EXPECT_EQ(code(kRamp, 1, 1), Code::kInvalidArgument);
  EXPECT_EQ(code(kRamp, int64_t{1} << 29, 1), Code::kInvalidArgument);
  EXPECT_EQ(code(kRamp, 4, 0), Code::kInvalidArgument);
  EXPECT_EQ(code(MakeVector<float>({1, 2}), 2, 1), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
