#include <gmock/gmock.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

Entry Words(std::initializer_list<int32_t> words) { return {.tensor = MakeVector<int32_t>(words), .ref = nullptr}; }
Entry Rate(float rate) { return {.tensor = MakeScalar<float>(rate), .ref = nullptr}; }
AttrMap Attrs(std::vector<int64_t> counts, int64_t negatives) {
  return {{"vocab_count", std::move(counts)}, {"num_negative_samples", negatives}};
}

// Vectors that are orthogonal meet with probability one half.
TEST(NegTrain, BringsLabelsNearer) {
  KernelHarness harness;
  const Entry in = harness.Ref(MakeTensor<float>({2, 2}, {1, 0, 5, 5}));
  const Entry out = harness.Ref(MakeTensor<float>({2, 2}, {7, 7, 0, 2}));
  harness.Run("NegTrain", {in, out, Words({0}), Words({1}), Rate(0.5)}, Attrs({3, 1}, 0));
  EXPECT_THAT(Values<float>(in), ElementsAre(1, 0.5F, 5, 5));
  EXPECT_THAT(Values<float>(out), ElementsAre(7, 7, 0.25F, 2));
}

// Only word 1 is ever drawn; where it is the label it is left out.
TEST(NegTrain, MovesOtherWordsAway) {
  KernelHarness harness;
  const Entry in = harness.Ref(MakeTensor<float>({2, 1}, {0, 3}));
  const Entry out = harness.Ref(MakeTensor<float>({2, 1}, {1, 1}));
  const auto run = [&](int32_t label) {
    harness.Run("NegTrain", {in, out, Words({0}), Words({label}), Rate(1)}, Attrs({0, 4}, 2));
  };
  run(1);
  EXPECT_THAT(Values<float>(in), ElementsAre(0.5F, 3));
  run(0);
  const float g = 1 / (std::exp(0.5F) + 1), first = -1 / (std::exp(-0.5F) + 1), moved = 1 + first * 0.5F;
  const float second = -1 / (std::exp(-0.5F * moved) + 1);
  EXPECT_THAT(Values<float>(in), ElementsAre(FloatEq(0.5F + g + first + second * moved), 3));
  EXPECT_THAT(Values<float>(out), ElementsAre(FloatEq(1 + g * 0.5F), FloatEq(moved + second * 0.5F)));
}

TEST(NegTrain, RefusesWordsThatAreNotThere) {
  KernelHarness harness;
  const Entry in = harness.Ref(Zeros(DType::kFloat, {2, 3})), out = harness.Ref(Zeros(DType::kFloat, {2, 3}));
  const auto code = [&](int32_t example, std::vector<int64_t> counts) {
    return harness.CodeOf("NegTrain", {in, out, Words({example}), Words({0}), Rate(1)}, Attrs(std::move(counts), 1));
  };
  EXPECT_EQ(code(1, {1, 1}), Code::kOk);
  EXPECT_EQ(code(2, {1, 1}), Code::kInvalidArgument);
  EXPECT_EQ(code(-1, {1, 1}), Code::kInvalidArgument);
  EXPECT_EQ(code(1, {1, 1, 1}), Code::kInvalidArgument);
  EXPECT_EQ(code(1, {0, 0}), Code::kInvalidArgument);
}

TEST(NegTrain, RefusesMatricesThatDoNotFitEachOther) {
  KernelHarness harness;
  const auto code = [&](const Shape& in, const Shape& out) {
    const Entry vectors = harness.Ref(Zeros(DType::kFloat, in)), others = harness.Ref(Zeros(DType::kFloat, out));
    return harness.CodeOf("NegTrain", {vectors, others, Words({0}), Words({0}), Rate(1)}, Attrs({1, 1}, 1));
  };
  EXPECT_EQ(code({2, 3}, {2, 4}), Code::kInvalidArgument);
  EXPECT_EQ(code({2, 3}, {3, 3}), Code::kInvalidArgument);
  EXPECT_EQ(code({2}, {2}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
