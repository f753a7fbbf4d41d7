// Samples of distributions, as TensorFlow 2.12.1 answers where nothing else is said.
#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/granted_error.h"
#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Numbers = std::vector<int64_t>;
const Tensor kSeed = MakeVector<int64_t>({7, -3}), kEight = MakeVector<int32_t>({8});
const AttrMap kInt64 = {{"dtype", DType::kInt64}};
Tensor Double(double number) { return MakeScalar(number); }

TEST(Binomial, AVariableKeepsTheGenerator) {
  KernelHarness harness;
  const Entry handle = harness.Run(
      "VarHandleOp", {}, {{"dtype", DType::kInt64}, {"shape", PartialShape()}, {"shared_name", std::string("g")}})[0];
  const auto keep = [&] { harness.Run("AssignVariableOp", {handle, In(MakeVector<int64_t>({1, 2, 3}))}); };
  const auto draw = [&](const Tensor& shape, const Tensor& counts, const Tensor& chances, int64_t algorithm = 1) {
    return harness.Value("StatefulRandomBinomial",
                         {handle, In(MakeScalar(algorithm)), In(shape), In(counts), In(chances)}, kInt64);
  };
  keep();
  EXPECT_EQ(Values<int64_t>(draw(MakeVector<int32_t>({4}), Double(10), Double(0.5))), Numbers({6, 4, 5, 3}));
  EXPECT_EQ(Values<int64_t>(draw(MakeVector<int32_t>({4}), Double(10), Double(0.5))), Numbers({3, 8, 6, 3}));
  EXPECT_EQ(Values<int64_t>(harness.Value("ReadVariableOp", {handle}, kInt64)), Numbers({179201, 2, 3}));
  keep();
  EXPECT_EQ(Values<int64_t>(draw(kEight, Double(100), Double(0.3))), Numbers({33, 30, 31, 34, 25, 25, 20, 40}));
  keep();
  const Tensor counts = MakeTensor<double>({2, 1}, {100, 5}), chances = MakeVector<double>({0.3, 0.9});
  EXPECT_EQ(Values<int64_t>(draw(MakeVector<int32_t>({3, 2, 2}), counts, chances)),
            Numbers({33, 94, 2, 5, 30, 88, 2, 5, 31, 91, 3, 3}));
  for (const int64_t algorithm : {0, 2, 3}) {
    EXPECT_THROW(draw(kEight, Double(1), Double(0.5), algorithm), Error) << algorithm;
  }
}

TEST(Binomial, SeedsAreScrambled) {
  const auto draw = [&](const Tensor& shape, const Tensor& counts, const Tensor& chances) {
    return Values<int64_t>(RunKernel1("StatelessRandomBinomial", {shape, kSeed, counts, chances}));
  };
  EXPECT_EQ(draw(kEight, Double(10), Double(0.5)), Numbers({6, 4, 4, 6, 7, 5, 4, 3}));
  EXPECT_EQ(draw(kEight, Double(100), Double(0.3)), Numbers({29, 27, 30, 28, 41, 33, 31, 31}));
}

TEST(Binomial, WhatIsCertainIsNotDrawn) {
  const Tensor counts = MakeVector<double>({-1, 0, 5, 5, 5}), chances = MakeVector<double>({0.3, 0.3, 0, 1, 1.5});
  const Tensor shape = MakeVector<int32_t>({5});
  EXPECT_EQ(
      Values<float>(RunKernel1("StatelessRandomBinomial", {shape, kSeed, counts, chances}, {{"dtype", DType::kFloat}})),
      (std::vector<float>{0, 0, 0, 5, 5}));
  const auto unknown = [&](DType type) {
    return RunKernel1("StatelessRandomBinomial", {MakeVector<int32_t>({1}), kSeed, Double(5), Double(NAN)},
                      {{"dtype", type}});
  };
  EXPECT_TRUE(std::isnan(Values<float>(unknown(DType::kFloat))[0]));
  EXPECT_EQ(Values<int32_t>(unknown(DType::kInt32))[0], 0);
}

// No number of tries: it comes back, where TensorFlow draws forever.
TEST(Binomial, WhatIsNotFiniteHasNoDistribution) {
  const Tensor counts = MakeVector<double>({NAN, INFINITY}), shape = MakeVector<int32_t>({2});
  const auto samples = Values<float>(
      RunKernel1("StatelessRandomBinomial", {shape, kSeed, counts, Double(0.25)}, {{"dtype", DType::kFloat}}));
  EXPECT_TRUE(std::isnan(samples[0]));
  EXPECT_EQ(samples[1], INFINITY);
}

TEST(Binomial, TheShapeEndsWithThatOfTheParameters) {
  const auto code = [](std::vector<int32_t> dims, const Tensor& counts, const Tensor& chances, const Tensor& seed) {
    const Tensor shape = MakeTensor<int32_t>({std::ssize(dims)}, std::span<const int32_t>(dims));
    return CodeOfKernel("StatelessRandomBinomial", {shape, seed, counts, chances});
  };
  const Tensor two = MakeVector<double>({5, 5}), three = MakeVector<double>({0.5, 0.5, 0.5});
  EXPECT_EQ(code({3}, two, Double(0.5), kSeed), Code::kInvalidArgument);
  EXPECT_EQ(code({2}, MakeTensor<double>({1, 2}, {5, 5}), Double(0.5), kSeed), Code::kInvalidArgument);
  EXPECT_EQ(code({2}, two, three, kSeed), Code::kInvalidArgument);
  EXPECT_EQ(code({0}, Double(5), Double(0.5), MakeVector<int64_t>({1, 2, 3})), Code::kInvalidArgument);
  EXPECT_EQ(code({3, 0}, Tensor(DType::kDouble, Shape({0})), Double(0.5), kSeed), Code::kOk);
}

TEST(Poisson, SeedsAreScrambled) {
  const auto draw = [&](const Tensor& shape, const Tensor& rates) {
    return Values<int64_t>(RunKernel1("StatelessRandomPoisson", {shape, kSeed, rates}, kInt64));
  };
  EXPECT_EQ(draw(kEight, Double(3)), Numbers({5, 4, 1, 3, 5, 1, 4, 1}));
  EXPECT_EQ(draw(kEight, Double(30)), Numbers({29, 26, 30, 28, 44, 34, 31, 31}));
  const Tensor rates = MakeVector<double>({3, 30});
  EXPECT_EQ(draw(MakeVector<int32_t>({4, 2}), rates), Numbers({5, 44, 4, 34, 1, 31, 3, 31}));
  EXPECT_EQ(CodeOfKernel("StatelessRandomPoisson", {MakeVector<int32_t>({3}), kSeed, rates}, kInt64),
            Code::kInvalidArgument);
}

// A sample goes with the third power of a normal number, which is the root of a logarithm times a sine; below 1 it is
// multiplied by a power.
TEST(Gamma, SeedsAreScrambled) {
  const auto draw = [&](const Tensor& alpha) {
    return Values<double>(RunKernel1("StatelessRandomGammaV2", {MakeVector<int32_t>({3}), kSeed, alpha}));
  };
  const std::vector<std::pair<double, std::vector<double>>> cases = {
      {3, {5.1651295552738485, 2.414349115253927, 0.2497825670026005}},
      {0.5, {1.5570355608733515, 0.9946916518863422, 0.15334075282589082}},
      {1, {3.958281958029006, 0.3389461879095945, 0.7506440757967686}}};
  for (const auto& [alpha, expected] : cases) {
    const std::vector<double> samples = draw(Double(alpha));
    for (size_t i = 0; i < 3; ++i) {
      const double each = GrantedError("StatelessRandomGammaV2", expected[i]);
      EXPECT_NEAR(samples[i], expected[i], (3 * 3 + 1) * each) << alpha;
    }
  }
  const Tensor three = MakeVector<int32_t>({3}), pair = MakeVector<double>({1, 2});
  EXPECT_EQ(CodeOfKernel("StatelessRandomGammaV2", {three, kSeed, pair}), Code::kInvalidArgument);
}

TEST(Gamma, AKeyAndACounterSayWhereItBegins) {
  const Tensor key = MakeVector<uint64_t>({5}), counter = MakeVector<uint64_t>({0, 9});
  const Tensor alpha = MakeVector<float>({0.01F, 30}), shape = MakeVector<int32_t>({3, 2});
  const auto draw = [&](int32_t algorithm) {
    return RunKernel1("StatelessRandomGammaV3", {shape, key, counter, MakeScalar(algorithm), alpha});
  };
  const float expected[] = {3.2876253513781063e-24F, 20.174312591552734F,    0,
                            29.238510131835938F,     8.249325159602472e-13F, 31.096702575683594F};
  const auto samples = Values<float>(draw(1));
  for (size_t i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(samples[i], expected[i]) << i;
  EXPECT_EQ(Values<float>(draw(3)), samples);
  EXPECT_THROW(draw(2), Error);
}

// Of 64 numbers of 64 bits two are equal with a chance below 2^-52.
TEST(NonDeterministicInts, AreOthersEachTime) {
  KernelHarness harness;
  const Entry shape = In(MakeVector<int64_t>({4, 8}));
  auto numbers = Values<int64_t>(harness.Value("NonDeterministicInts", {shape}, kInt64));
  const auto more = Values<int64_t>(harness.Value("NonDeterministicInts", {shape}, kInt64));
  ASSERT_EQ(numbers.size(), 32U);
  numbers.insert(numbers.end(), more.begin(), more.end());
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(std::adjacent_find(numbers.begin(), numbers.end()), numbers.end());
  EXPECT_EQ(CodeOfKernel("NonDeterministicInts", {MakeScalar<int64_t>(4)}, kInt64), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("NonDeterministicInts", {MakeVector<int64_t>({4})}, {{"dtype", DType::kFloat}}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
