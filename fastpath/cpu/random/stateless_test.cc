#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "fastpath/formulas/philox.h"

namespace plumb::fast::cpu {
namespace {

// The generator of the seeds (1, 2), whose first words are R75's.
const Tensor kKey = MakeVector<uint64_t>({1}), kCounter = MakeVector<uint64_t>({0, 2});
const Tensor kTwo = MakeVector<int32_t>({2});
Tensor Algorithm(int32_t number) { return MakeScalar<int32_t>(number); }

TEST(Stateless, KeyAndCounterSayWhereTheWordsBegin) {
  const AttrMap ints = {{"dtype", DType::kInt32}}, floats = {{"dtype", DType::kFloat}};
  const Tensor low = MakeScalar<int32_t>(-5), high = MakeScalar<int32_t>(5);
  EXPECT_EQ(
      Values<int32_t>(RunKernel1("StatelessRandomUniformIntV2", {kTwo, kKey, kCounter, Algorithm(1), low, high}, ints)),
      (std::vector<int32_t>{static_cast<int32_t>(0xe73404cfu % 10) - 5, static_cast<int32_t>(0x8cedc5d3u % 10) - 5}));
  const std::vector<float> expected = {static_cast<float>(0x3404cf) / 0x800000,
                                       static_cast<float>(0x6dc5d3) / 0x800000};
  EXPECT_EQ(Values<float>(RunKernel1("StatelessRandomUniformV2", {kTwo, kKey, kCounter, Algorithm(3)}, floats)),
            expected);
}

// Box and Muller on the first two words, in float: the angle is rounded after two steps, and so are the radius and its
// product with the sine.
TEST(Stateless, NormalsAreThoseOfTheStream) {
  const AttrMap floats = {{"dtype", DType::kFloat}};
  const double radius = std::sqrt(-2 * std::log(static_cast<double>(0x3404cf) / 0x800000));
  const double angle = 2 * M_PI * 0x6dc5d3 / 0x800000;
  const double limit = std::numeric_limits<float>::epsilon() * radius * (angle + 2);
  for (const char* op : {"StatelessRandomNormalV2", "StatelessTruncatedNormalV2"}) {
    const auto normals = Values<float>(RunKernel1(op, {kTwo, kKey, kCounter, Algorithm(1)}, floats));
    EXPECT_NEAR(normals[0], radius * std::sin(angle), limit) << op;
    EXPECT_NEAR(normals[1], radius * std::cos(angle), limit) << op;
  }
}

TEST(Stateless, GeneratorsThatAreNotThereAreRefused) {
  const AttrMap floats = {{"dtype", DType::kFloat}};
  const auto code = [&](Tensor key, Tensor counter, Tensor algorithm) {
    return CodeOfKernel("StatelessRandomUniformV2", {kTwo, std::move(key), std::move(counter), std::move(algorithm)},
                        floats);
  };
  for (const int32_t algorithm : {0, 2, 4}) {
    EXPECT_EQ(code(kKey, kCounter, Algorithm(algorithm)), Code::kInvalidArgument) << algorithm;
  }
  EXPECT_EQ(code(kCounter, kCounter, Algorithm(1)), Code::kInvalidArgument);
  EXPECT_EQ(code(kKey, kKey, Algorithm(1)), Code::kInvalidArgument);
  EXPECT_EQ(code(kKey, kCounter, MakeVector<int32_t>({1})), Code::kInvalidArgument);
}

// A generator with a key and a counter of its own scrambles the seeds.
TEST(Stateless, SeedsAreScrambledIntoKeyAndCounter) {
  Philox mixer = PhiloxAt(uint64_t{0x02461e29} << 32 | 0x3ec8f720, 7, static_cast<uint64_t>(-3));
  const Philox::Block words = mixer.Next();
  const auto outputs = RunKernel("StatelessRandomGetKeyCounter", {MakeVector<int32_t>({7, -3})});
  EXPECT_EQ(Values<uint64_t>(outputs.at(0)), (std::vector<uint64_t>{words[0] | uint64_t{words[1]} << 32}));
  EXPECT_EQ(Values<uint64_t>(outputs.at(1)), (std::vector<uint64_t>{0, words[2] | uint64_t{words[3]} << 32}));
  EXPECT_EQ(CodeOfKernel("StatelessRandomGetKeyCounter", {MakeVector<int32_t>({7})}), Code::kInvalidArgument);
}

TEST(Multinomial, WhatIsNotFiniteIsNeverDrawn) {
  const Tensor logits = MakeTensor<float>({2, 3}, {-INFINITY, 0, NAN, 5, -INFINITY, INFINITY});
  const Tensor four = MakeScalar<int32_t>(4), seed = MakeVector<int64_t>({1, 2});
  EXPECT_EQ(Values<int64_t>(RunKernel1("StatelessMultinomial", {logits, four, seed})),
            (std::vector<int64_t>{1, 1, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(CodeOfKernel("StatelessMultinomial", {MakeTensor<float>({2, 0}, {}), four, seed}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("StatelessMultinomial", {logits, MakeScalar<int32_t>(-1), seed}), Code::kInvalidArgument);
}

// As TensorFlow 2.12.1 answers.
TEST(Stateless, FirstVersionsTakeSeeds) {
  const Tensor three = MakeVector<int32_t>({3}), seed = MakeVector<int64_t>({7, -3});
  const auto draw = [&](const char* op, DType type) { return RunKernel1(op, {three, seed}, {{"dtype", type}}); };
  EXPECT_EQ(Values<float>(draw("StatelessRandomUniform", DType::kFloat)),
            (std::vector<float>{0.4346422F, 0.06527591F, 0.74761295F}));
  EXPECT_EQ(Values<int32_t>(draw("StatelessRandomUniformFullInt", DType::kInt32)),
            (std::vector<int32_t>{2125963867, 973626102, 694137288}));
  EXPECT_EQ(Values<int64_t>(draw("StatelessRandomUniformFullInt", DType::kInt64)),
            (std::vector<int64_t>{4181692268747924059, -9145954649354817080, 6028316063551946271}));
  EXPECT_EQ(Values<int64_t>(RunKernel1("StatelessRandomUniformFullIntV2", {three, kKey, kCounter, Algorithm(1)},
                                       {{"dtype", DType::kInt64}})),
            (std::vector<int64_t>{-8291753825011497777, 723669816833414966, -2664811210180607629}));
  const Tensor low = MakeScalar<int32_t>(-5), high = MakeScalar<int32_t>(50);
  EXPECT_EQ(Values<int32_t>(RunKernel1("StatelessRandomUniformInt", {three, seed, low, high})),
            (std::vector<int32_t>{22, 37, 48}));
  const AttrMap floats = {{"dtype", DType::kFloat}};
  const auto normals = Values<float>(RunKernel1("StatelessRandomNormal", {three, seed}, floats));
  const auto truncated = Values<float>(RunKernel1("StatelessTruncatedNormal", {three, seed}, floats));
  const std::vector<float> expected = {0.51473767F, 1.1838536F, 0.6135526F};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_FLOAT_EQ(normals[i], expected[i]);
    EXPECT_FLOAT_EQ(truncated[i], expected[i]);
  }
  EXPECT_EQ(CodeOfKernel("StatelessRandomUniform", {three, MakeVector<int64_t>({7, -3, 1})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("StatelessRandomUniformInt", {three, seed, high, high}), Code::kInvalidArgument);
  const Tensor none = MakeVector<int32_t>({0}), pair = MakeVector<int32_t>({1, 2});
  EXPECT_EQ(CodeOfKernel("StatelessRandomUniformInt", {three, seed, pair, pair}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("StatelessRandomUniformInt", {none, seed, pair, pair}), Code::kOk);
  EXPECT_EQ(CodeOfKernel("StatelessRandomUniformInt", {none, three, low, high}), Code::kInvalidArgument);
  EXPECT_EQ(
      CodeOfKernel("StatelessRandomUniformFullInt", {three, MakeVector<uint64_t>({7, 3})}, {{"dtype", DType::kInt64}}),
      Code::kInvalidArgument);
  const auto parts = RunKernel("StatelessRandomGetKeyCounterAlg", {seed});
  EXPECT_EQ(Values<uint64_t>(parts.at(0)), (std::vector<uint64_t>{13399541416664089238U}));
  EXPECT_EQ(Values<uint64_t>(parts.at(1)), (std::vector<uint64_t>{0, 2845039061138926877U}));
  EXPECT_EQ(Values<int32_t>(parts.at(2)), (std::vector<int32_t>{1}));
  EXPECT_EQ(Values<int32_t>(RunKernel1("StatelessRandomGetAlg", {})), (std::vector<int32_t>{1}));
}

}  // namespace
}  // namespace plumb::fast::cpu
