#include "fastpath/cpu/image/hue_loop.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "fastpath/cpu/image/colors.h"

namespace plumb::fast::cpu {
namespace {

// All pixels whose channels are of a few numbers.
std::vector<float> Pixels() {
  const float numbers[] = {0, -0.0F, 0.25F, 1, -1, 7, NAN, INFINITY, -INFINITY};
  std::vector<float> pixels;
  for (const float red : numbers) {
    for (const float green : numbers) {
      for (const float blue : numbers) pixels.insert(pixels.end(), {red, green, blue});
    }
  }
  return pixels;
}

bool IsSame(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

TEST(HueLoop, MovesAsTheFormulaDoes) {
  const std::vector<float> pixels = Pixels();
  std::vector<float> moved(pixels.size());
  for (const float delta : {0.0F, 0.1F, 0.5F, -0.3F, 1.0F, 17.25F, NAN, INFINITY}) {
    MoveHues(pixels.data(), delta, std::ssize(pixels) / 3, moved.data());
    for (size_t i = 0; i < pixels.size(); i += 3) {
      const Rgb<float> expected = MoveHue::Of({pixels[i], pixels[i + 1], pixels[i + 2]}, delta);
      for (size_t c = 0; c < 3; ++c) {
        ASSERT_TRUE(IsSame(moved[i + c], expected[c]))
            << delta << ": " << pixels[i] << " " << pixels[i + 1] << " " << pixels[i + 2];
      }
    }
  }
}

TEST(HueLoop, MovesEveryNumberOfPixelsInTheirPlace) {
  const std::vector<float> pixels = Pixels();
  std::vector<float> all(pixels.size());
  MoveHues(pixels.data(), 0.4F, std::ssize(pixels) / 3, all.data());
  for (size_t n = 0; n <= 40; ++n) {
    std::vector<float> some = pixels;
    MoveHues(some.data(), 0.4F, static_cast<int64_t>(n), some.data());
    for (size_t i = 0; i < pixels.size(); ++i) ASSERT_TRUE(IsSame(some[i], i < 3 * n ? all[i] : pixels[i])) << n;
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
