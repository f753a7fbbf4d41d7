#include "fastpath/cpu/quantization/code_loops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace plumb::fast::cpu {
namespace {

template <class Code>
std::vector<Code> Codes(CodeRounding rounding, const CodePlaces& places, const std::vector<float>& numbers) {
  std::vector<Code> codes(numbers.size());
  FindCodeLoop(rounding, sizeof(Code) == 2)(places, numbers.data(), codes.data(), std::ssize(numbers));
  return codes;
}

constexpr CodePlaces kPlain{.low = -1000, .high = 1000, .first = 0, .scale = 1, .offset = 0};

TEST(CodeLoops, RoundHalves) {
  const std::vector<float> halves = {-2.5F, -1.5F, -0.5F, 0.5F, 1.5F, 2.5F, 0x1.fffffep-2F};
  EXPECT_EQ(Codes<int8_t>(CodeRounding::kToEven, kPlain, halves), std::vector<int8_t>({-2, -2, 0, 0, 2, 2, 0}));
  EXPECT_EQ(Codes<int8_t>(CodeRounding::kAway, kPlain, halves), std::vector<int8_t>({-3, -2, -1, 1, 2, 3, 0}));
  EXPECT_EQ(Codes<int8_t>(CodeRounding::kTowardsZero, kPlain, halves), std::vector<int8_t>({-2, -1, 0, 0, 1, 2, 0}));
}

TEST(CodeLoops, HoldWhatIsOutsideAtTheEnds) {
  const CodePlaces places{.low = -1, .high = 3, .first = -1, .scale = 10000, .offset = 5};
  EXPECT_EQ(Codes<uint16_t>(CodeRounding::kAway, places, {-7, 0, 9, INFINITY, -INFINITY}),
            std::vector<uint16_t>({5, 10005, 40005, 40005, 5}));
}

TEST(CodeLoops, AreZeroWhereNothingIsNear) {
  const CodePlaces places{.low = -INFINITY, .high = INFINITY, .first = 0, .scale = 1, .offset = 0};
  for (const auto rounding : {CodeRounding::kToEven, CodeRounding::kAway, CodeRounding::kTowardsZero}) {
    EXPECT_EQ(Codes<uint8_t>(rounding, places, {NAN, INFINITY, -INFINITY, 0x1p31F, 257}),
              std::vector<uint8_t>({0, 0, 0, 0, 1}));
  }
}

TEST(CodeLoops, RunOverEveryLength) {
  for (int n = 0; n <= 67; ++n) {
    std::vector<float> numbers;
    std::vector<uint8_t> bytes;
    std::vector<int16_t> words;
    for (int i = 0; i < n; ++i) {
      numbers.push_back(static_cast<float>(3 * i));
      bytes.push_back(static_cast<uint8_t>(3 * i));
      words.push_back(static_cast<int16_t>(3 * i));
    }
    ASSERT_EQ(Codes<uint8_t>(CodeRounding::kToEven, kPlain, numbers), bytes);
    ASSERT_EQ(Codes<int16_t>(CodeRounding::kAway, kPlain, numbers), words);
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
