#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

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

}  // namespace
}  // namespace plumb::fast::cpu
