#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "fastpath/formulas/philox.h"

namespace plumb::fast::cpu {
namespace {

AttrMap Seeds(int64_t seed, int64_t seed2, DType dtype = DType::kFloat) {
  return {{"seed", seed}, {"seed2", seed2}, {"dtype", dtype}};
}

std::vector<Entry> Shaped(std::initializer_list<int32_t> dims) { return {In(MakeVector<int32_t>(dims))}; }

TEST(RandomUniform, TakesTheMantissaFromTheLowBitsOfEachWord) {
  KernelHarness harness;
  const auto values = Values<float>(harness.Value("RandomUniform", Shaped({3}), Seeds(1, 2)));
  const uint32_t words[] = {0xe73404cf, 0x8cedc5d3, 0x3f071736};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(values[i], static_cast<float>(words[i] & 0x7fffff) / 8388608.0f);
  const auto halves = Values<Half>(harness.Value("RandomUniform", Shaped({3}), Seeds(1, 2, DType::kHalf)));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(static_cast<float>(halves[i]), static_cast<float>(words[i] & 0x3ff) / 1024.0f);
  const auto doubles = Values<double>(harness.Value("RandomUniform", Shaped({1}), Seeds(1, 2, DType::kDouble)));
  EXPECT_EQ(doubles[0], (static_cast<double>(0x404cf) * 4294967296.0 + 0x8cedc5d3) / 4503599627370496.0);
}

// R71: 256 blocks are set aside for each output.
TEST(RandomUniform, TheNextExecutionGoesOnAfterTheReservation) {
  KernelHarness harness;
  const AttrMap attrs = Seeds(1, 2);
  const Tensor first = harness.Run("uniform", "RandomUniform", Shaped({2}), attrs)[0].tensor;
  const Tensor second = harness.Run("uniform", "RandomUniform", Shaped({2}), attrs)[0].tensor;
  Philox expected(1, 2);
  expected.Skip(2 * 256);
  const Philox::Block words = expected.Next();
  EXPECT_EQ(Values<float>(second), (std::vector<float>{UniformFloat(words[0]), UniformFloat(words[1])}));
  EXPECT_TRUE(first.BitwiseEquals(harness.Run("again", "RandomUniform", Shaped({2}), attrs)[0].tensor));
}

TEST(RandomUniformInt, AddsTheWordModuloTheRange) {
  KernelHarness harness;
  const auto in = [](auto low, auto high) {
    return std::vector<Entry>{In(MakeVector<int32_t>({2})), In(MakeScalar(low)), In(MakeScalar(high))};
  };
  const AttrMap attrs = {{"seed", 1}, {"seed2", 2}};
  const auto ints = Values<int32_t>(harness.Value("RandomUniformInt", in(int32_t{-5}, int32_t{5}), attrs));
  EXPECT_EQ(ints, (std::vector<int32_t>{static_cast<int32_t>(0xe73404cfu % 10) - 5,
                                        static_cast<int32_t>(0x8cedc5d3u % 10) - 5}));
  const auto longs = Values<int64_t>(harness.Value("RandomUniformInt", in(int64_t{0}, int64_t{1000}), attrs));
  EXPECT_EQ(longs[0], static_cast<int64_t>(0x8cedc5d3e73404cfull % 1000));
  EXPECT_EQ(harness.CodeOf("RandomUniformInt", in(int32_t{3}, int32_t{3}), attrs), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
