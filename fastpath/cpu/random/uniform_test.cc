#include <gtest/gtest.h>

#include <algorithm>

#include "fastpath/cpu/lib/kernel_harness.h"
#include "fastpath/formulas/philox.h"

namespace plumb::fast::cpu {
namespace {

AttrMap Seeds(int64_t seed, int64_t seed2, DType dtype = DType::kFloat) {
  return {{"seed", seed}, {"seed2", seed2}, {"dtype", dtype}};
}
std::vector<Entry> Shaped(std::initializer_list<int32_t> dims) { return {In(MakeVector<int32_t>(dims))}; }

// R75.
TEST(Philox, GivesThePublishedWords) {
  using Block = Philox::Block;
  EXPECT_EQ(Philox().Next(), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Philox(1, 2).Next(), (Block{0xe73404cf, 0x8cedc5d3, 0x3f071736, 0x0a0afddd}));
  EXPECT_EQ(Philox(12345, 67890).Next(), (Block{0x4f1c872f, 0x1e4639ba, 0x413ae3bc, 0xbd67db05}));
  EXPECT_EQ(Philox(87654321, 0).Next(), (Block{0x158ce911, 0x56fc2e6d, 0xe46ca44e, 0x4a862e15}));
}

TEST(Philox, SkippingEqualsDrawing) {
  Philox drawn(3, 4), skipped(3, 4);
  for (int i = 0; i < 5; ++i) drawn.Next();
  skipped.Skip(5);
  EXPECT_EQ(drawn.Next(), skipped.Next());
  Philox once(3, 4), twice(3, 4);  // the carry out of the low word
  once.Skip((uint64_t{1} << 32) + 1);
  twice.Skip(0xffffffff);
  twice.Skip(2);
  EXPECT_EQ(once.Next(), twice.Next());
}

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

TEST(RandomOps, ShapesAreChecked) {
  KernelHarness harness;
  for (const char* op : {"RandomUniform", "RandomStandardNormal", "TruncatedNormal"}) {
    EXPECT_EQ(harness.CodeOf(op, {In(MakeScalar<int32_t>(3))}, Seeds(1, 2)), Code::kInvalidArgument);
    EXPECT_EQ(harness.CodeOf(op, Shaped({-1}), Seeds(1, 2)), Code::kInvalidArgument);
    EXPECT_EQ(harness.Value(op, Shaped({0, 5}), Seeds(1, 2)).elements(), 0);
  }
}

TEST(RandomOps, DoNotDependOnTheNumberOfThreads) {
  for (const char* op : {"RandomUniform", "RandomStandardNormal", "TruncatedNormal"}) {
    for (const DType dtype : {DType::kFloat, DType::kDouble, DType::kHalf, DType::kBfloat16}) {
      KernelHarness one(1), three(3);
      const AttrMap attrs = Seeds(5, 6, dtype);
      EXPECT_TRUE(one.Value(op, Shaped({100, 333}), attrs).BitwiseEquals(three.Value(op, Shaped({100, 333}), attrs)));
    }
  }
}

TEST(RandomOps, WithoutSeedsEveryNodeDiffers) {
  KernelHarness harness;
  const Tensor a = harness.Value("RandomUniform", Shaped({4}), Seeds(0, 0));
  EXPECT_FALSE(a.BitwiseEquals(harness.Value("RandomUniform", Shaped({4}), Seeds(0, 0))));
}

TEST(TruncatedNormal, StaysWithinTwoStandardDeviations) {
  KernelHarness harness;
  const Tensor values = harness.Value("TruncatedNormal", Shaped({1001}), Seeds(1, 2));
  for (const float value : values.data<float>()) EXPECT_LT(std::abs(value), 2);
}

// R78.
TEST(RandomShuffle, PermutesRowsByTheWordsOfTheStream) {
  KernelHarness harness;
  const AttrMap attrs = {{"seed", 1}, {"seed2", 2}};
  const Tensor rows = MakeTensor<int32_t>({3, 2}, {0, 0, 1, 1, 2, 2});
  std::vector<int32_t> order = {0, 1, 2};
  std::swap(order[0], order[0xe73404cfu % 3]);
  std::swap(order[1], order[1 + 0x8cedc5d3u % 2]);
  std::vector<int32_t> expected;
  for (const int32_t row : order) expected.insert(expected.end(), {row, row});
  EXPECT_EQ(Values<int32_t>(harness.Value("RandomShuffle", {In(rows)}, attrs)), expected);
  const Tensor one = MakeTensor<std::string>({1, 2}, {"a", "b"});
  EXPECT_TRUE(harness.Value("RandomShuffle", {In(one)}, attrs).BitwiseEquals(one));
}

}  // namespace
}  // namespace plumb::fast::cpu
