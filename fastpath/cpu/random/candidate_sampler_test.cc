#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Ids = std::vector<int64_t>;
using Counts = std::vector<float>;

AttrMap Sampler(int64_t sampled, bool unique, int64_t range) {
  return {{"num_true", 1}, {"num_sampled", sampled}, {"unique", unique}, {"range_max", range}, {"seed", 1},
          {"seed2", 2}};
}
Entry Classes(std::initializer_list<int64_t> ids) {
  return In(MakeTensor<int64_t>({static_cast<int64_t>(ids.size()), 1}, ids));
}

// R80, R75: of a power of two the low bits of e73404cf and 3f071736, the low words of 64 bits.
TEST(CandidateSampler, UniformTakesTheLowBits) {
  KernelHarness harness;
  const auto outputs = harness.Run("UniformCandidateSampler", {Classes({0, 5})}, Sampler(2, false, 8));
  EXPECT_EQ(Values<int64_t>(outputs[0].tensor), Ids({7, 6}));
  EXPECT_EQ(Values<float>(outputs[1].tensor), Counts({0.25, 0.25}));
  EXPECT_EQ(Values<float>(outputs[2].tensor), Counts({0.25, 0.25}));
}

// The low two bits of e73404cf and of 8cedc5d3 are 3; then class 3 has the weight 2 of 5.
TEST(CandidateSampler, WeightsGrowWithTrueClasses) {
  KernelHarness harness;
  const AttrMap attrs = Sampler(2, false, 4);
  const auto first = harness.Run("learned", "LearnedUnigramCandidateSampler", {Classes({3})}, attrs);
  EXPECT_EQ(Values<int64_t>(first[0].tensor), Ids({3, 3}));
  EXPECT_EQ(Values<float>(first[1].tensor), Counts({0.5}));
  const auto second = harness.Run("learned", "LearnedUnigramCandidateSampler", {Classes({3, 0})}, attrs);
  EXPECT_EQ(Values<float>(second[1].tensor), Counts({2.0f / 5 * 2, 1.0f / 5 * 2}));
}

// More of them than there are classes are counted by class: 0 comes once and 1 four times.
TEST(CandidateSampler, WeightsGrowWithClassesThatComeAgain) {
  KernelHarness harness;
  const AttrMap attrs = Sampler(2, false, 2);
  harness.Run("learned", "LearnedUnigramCandidateSampler", {Classes({1, 1, 1, 0, 1})}, attrs);
  const auto second = harness.Run("learned", "LearnedUnigramCandidateSampler", {Classes({0, 1})}, attrs);
  EXPECT_EQ(Values<float>(second[1].tensor), Counts({2.0f / 7 * 2, 5.0f / 7 * 2}));
}

// As TensorFlow 2.12.1 answers to either.
TEST(CandidateSampler, TheThreadUnsafeOneDrawsAlike) {
  KernelHarness harness;
  const AttrMap attrs = Sampler(4, false, 6);
  const auto outputs = harness.Run("ThreadUnsafeUnigramCandidateSampler", {Classes({3, 0})}, attrs);
  EXPECT_EQ(Values<int64_t>(outputs[0].tensor), Ids({5, 5, 0, 5}));
  EXPECT_EQ(Values<float>(outputs[1].tensor), Counts({2.0F / 3, 2.0F / 3}));
  const auto learned = harness.Run("LearnedUnigramCandidateSampler", {Classes({3, 0})}, attrs);
  EXPECT_EQ(Values<int64_t>(learned[0].tensor), Ids({5, 5, 0, 5}));
}

TEST(CandidateSampler, OnlyWhatHasAWeightIsDrawn) {
  KernelHarness harness;
  AttrMap attrs = Sampler(3, false, 2);
  attrs["unigrams"] = std::vector<float>{0, 1};
  const auto outputs = harness.Run("FixedUnigramCandidateSampler", {Classes({0, 1})}, attrs);
  EXPECT_EQ(Values<int64_t>(outputs[0].tensor), Ids({1, 1, 1}));
  EXPECT_EQ(Values<float>(outputs[1].tensor), Counts({0, 3}));
  attrs["range_max"] = 3;
  EXPECT_EQ(harness.CodeOf("FixedUnigramCandidateSampler", {Classes({0})}, attrs), Code::kInvalidArgument);
  attrs = Sampler(2, true, 2);
  attrs["unigrams"] = std::vector<float>{0, 1};
  EXPECT_EQ(harness.CodeOf("FixedUnigramCandidateSampler", {Classes({0})}, attrs), Code::kInvalidArgument);
}

TEST(CandidateSampler, DifferentOnesAreAllOfASmallRange) {
  KernelHarness harness;
  for (const char* op : {"UniformCandidateSampler", "LogUniformCandidateSampler", "LearnedUnigramCandidateSampler"}) {
    auto ids = Values<int64_t>(harness.Value(op, {Classes({0})}, Sampler(4, true, 4)));
    std::sort(ids.begin(), ids.end());
    EXPECT_EQ(ids, Ids({0, 1, 2, 3})) << op;
    EXPECT_EQ(harness.CodeOf(op, {Classes({0})}, Sampler(5, true, 4)), Code::kInvalidArgument) << op;
    EXPECT_EQ(harness.CodeOf(op, {Classes({0})}, Sampler(int64_t{1} << 31, false, 4)), Code::kInvalidArgument) << op;
    EXPECT_EQ(harness.CodeOf(op, {Classes({4})}, Sampler(2, true, 4)), Code::kInvalidArgument) << op;
  }
  AttrMap attrs = Sampler(3, true, 3);
  attrs.erase("range_max");
  EXPECT_EQ(Values<int64_t>(harness.Value("AllCandidateSampler", {Classes({2})}, attrs)), Ids({0, 1, 2}));
}

// A sample that is too large is refused before there are weights, and so much memory with them.
TEST(CandidateSampler, AsManyWeightsAreLearnedAsCanBeKept) {
  KernelHarness harness;
  const auto code_of = [&](int64_t range) {
    return harness.CodeOf("LearnedUnigramCandidateSampler", {Classes({0})}, Sampler(int64_t{1} << 31, false, range));
  };
  constexpr int64_t kMostWeights = int64_t{1} << 28;
  EXPECT_EQ(code_of(kMostWeights), Code::kInvalidArgument);
  EXPECT_EQ(code_of(kMostWeights + 1), Code::kResourceExhausted);
  EXPECT_EQ(code_of(INT32_MAX - 1), Code::kResourceExhausted);
  EXPECT_EQ(code_of(INT32_MAX), Code::kInvalidArgument) << "as TensorFlow says";
}

TEST(CandidateSampler, HitsNameRowAndLastPlace) {
  const Tensor classes = MakeTensor<int64_t>({2, 2}, {1, 2, 3, 1}), sampled = MakeVector<int64_t>({1, 5, 1, 3});
  const auto hits = RunKernel("ComputeAccidentalHits", {classes, sampled}, {{"num_true", 2}});
  EXPECT_EQ(Values<int32_t>(hits.at(0)), (std::vector<int32_t>{0, 1, 1}));
  EXPECT_EQ(Values<int64_t>(hits.at(1)), Ids({2, 3, 2}));
  EXPECT_EQ(Values<float>(hits.at(2)), Counts(3, std::numeric_limits<float>::lowest()));
}

}  // namespace
}  // namespace plumb::fast::cpu
