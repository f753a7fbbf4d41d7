#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <vector>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;
using testing::IsNan;

// Two images of two channels. The pixels of each rise, or fall, by twos around a mean of their own, which is exact.
constexpr float kMeans[] = {7, -3, 20, 0};
Tensor Slopes(int64_t pixels) {
  Tensor images(DType::kFloat, {2, 1, pixels, 2});
  const auto to = images.mutable_data<float>();
  for (int64_t i = 0; i < pixels; ++i) {
    const auto from_mean = static_cast<float>(2 * i - (pixels - 1));
    for (int64_t image = 0; image < 2; ++image) {
      const auto at = static_cast<size_t>(2 * (image * pixels + i));
      to[at] = kMeans[2 * image] + from_mean;
      to[at + 1] = kMeans[2 * image + 1] - from_mean;
    }
  }
  return images;
}

// As many pixels as one sum takes, one more, and so many that the halves are cut again, evenly or not.
TEST(AdjustContrast, KeepsTheMeanOfImagesOfEverySize) {
  for (const int64_t pixels : {1, 511, 512, 513, 1024, 1025, 1537, 4099}) {
    const Tensor images = Slopes(pixels);
    const Tensor adjusted = RunKernel1("AdjustContrastv2", {images, MakeScalar(0.5F)});
    for (size_t i = 0; i < static_cast<size_t>(images.elements()); ++i) {
      const float mean = kMeans[2 * (i / static_cast<size_t>(2 * pixels)) + i % 2];
      ASSERT_EQ(adjusted.data<float>()[i], (images.data<float>()[i] + mean) / 2) << pixels << " pixels, element " << i;
    }
  }
}

// 2 is the mean, of which infinitely many times nothing is no number.
TEST(AdjustContrast, AnInfiniteFactorMovesAwayFromTheMean) {
  const Tensor row = MakeTensor<float>({1, 3, 1}, {1, 3, 2});
  EXPECT_THAT(Values<float>(RunKernel1("AdjustContrastv2", {row, MakeScalar(INFINITY)})),
              ElementsAre(-INFINITY, INFINITY, IsNan()));
}

// The channels of four pixels have the means 4.5, 5.5 and 6.5.
TEST(AdjustContrast, ItsFirstVersionHoldsTheResultBetweenTwoNumbers) {
  const auto adjusted = [](const Tensor& images, float least, float most) {
    return Values<float>(RunKernel1("AdjustContrast", {images, MakeScalar(2.0F), MakeScalar(least), MakeScalar(most)}));
  };
  const Tensor bytes = MakeTensor<uint8_t>({1, 2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  EXPECT_EQ(adjusted(bytes, -5, 10), (std::vector<float>{-4.5, -3.5, -2.5, 1.5, 2.5, 3.5, 7.5, 8.5, 9.5, 10, 10, 10}));
  EXPECT_EQ(adjusted(MakeTensor<double>({1, 2, 1}, {1, 3}), 5, 3), (std::vector<float>{5, 5}));
  EXPECT_EQ(CodeOfKernel("AdjustContrast", {bytes, MakeScalar(2.0F), MakeVector<float>({1}), MakeScalar(1.0F)}),
            Code::kInvalidArgument);
}

// The largest channel is infinite and stays so; how far the middle one is between is no number there.
TEST(AdjustHue, ChannelsThatAreNoFiniteNumbersChangePlaces) {
  const Tensor pixels = MakeTensor<float>({1, 2, 3}, {1, INFINITY, 2, NAN, 1, 2});
  EXPECT_THAT(Values<float>(RunKernel1("AdjustHue", {pixels, MakeScalar(0.0F)})),
              ElementsAre(1, INFINITY, IsNan(), IsNan(), 1, IsNan()));
  const Tensor plain = MakeTensor<float>({1, 1, 3}, {3, 1, 2});
  EXPECT_THAT(Values<float>(RunKernel1("AdjustHue", {plain, MakeScalar(NAN)})), ElementsAre(3, 1, IsNan()));
}

// Each channel is the largest, the middle one and the smallest: a third of the circle moves them all on.
TEST(AdjustHue, AThirdOfTheCircleMovesEachChannelOn) {
  const Tensor pixels = MakeTensor<float>({1, 6, 3}, {4, 1, 0, 1, 4, 0, 0, 4, 1, 0, 1, 4, 1, 0, 4, 4, 0, 1});
  const Tensor moved = RunKernel1("AdjustHue", {pixels, MakeScalar(1.0F / 3)});
  for (size_t i = 0; i < 18; ++i) {
    const size_t from = i / 3 * 3 + (i + 2) % 3;
    EXPECT_EQ(moved.data<float>()[i], pixels.data<float>()[from]) << i;
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
