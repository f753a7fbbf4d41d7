#include <gmock/gmock.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

std::vector<Tensor> Loss(int64_t times, const Tensor& at, const Tensor& labels) {
  return RunKernel(
      "CTCLoss", {Zeros(DType::kFloat, {times, 1, 2}), at, labels, MakeVector<int32_t>({static_cast<int32_t>(times)})});
}

// Of two classes, equally probable, the label may come first, last or twice: three ways of four.
TEST(CtcLoss, CountsAllWaysToSpell) {
  const auto outputs = Loss(2, MakeTensor<int64_t>({1, 2}, {0, 0}), MakeVector<int32_t>({0}));
  EXPECT_THAT(Values<float>(outputs[0]), ElementsAre(FloatEq(-std::log(0.75f))));
  const auto gradient = FloatEq(0.5f - 2.0f / 3), of_blank = FloatEq(0.5f - 1.0f / 3);
  EXPECT_THAT(Values<float>(outputs[1]), ElementsAre(gradient, of_blank, gradient, of_blank));
}

// The blank of V2 is the first class.
TEST(CtcLossV2, CountsLabelsFromOne) {
  const Tensor even = Zeros(DType::kFloat, {2, 1, 2}), at = MakeTensor<int64_t>({1, 2}, {0, 0});
  const Tensor times = MakeVector<int32_t>({2});
  const auto outputs = RunKernel("CTCLossV2", {even, at, MakeVector<int32_t>({1}), times});
  EXPECT_THAT(Values<float>(outputs[0]), ElementsAre(FloatEq(-std::log(0.75f))));
  const auto gradient = FloatEq(0.5f - 2.0f / 3), of_blank = FloatEq(0.5f - 1.0f / 3);
  EXPECT_THAT(Values<float>(outputs[1]), ElementsAre(of_blank, gradient, of_blank, gradient));
  for (const int32_t label : {-1, 0, 2}) {
    EXPECT_EQ(CodeOfKernel("CTCLossV2", {even, at, MakeVector<int32_t>({label}), times}), Code::kInvalidArgument)
        << label;
  }
}

// A label that is the blank spells nothing. 2^-3000 is beyond what a double holds.
TEST(CtcLoss, ReachesBeyondTheRangeOfNumbers) {
  const auto outputs = Loss(3000, MakeTensor<int64_t>({1, 2}, {0, 0}), MakeVector<int32_t>({1}));
  EXPECT_THAT(Values<float>(outputs[0]), ElementsAre(FloatEq(static_cast<float>(3000 * M_LN2))));
}

TEST(CtcLoss, IsInfiniteWhereNothingSpellsTheLabels) {
  const auto outputs = Loss(2, MakeTensor<int64_t>({2, 2}, {0, 0, 0, 1}), MakeVector<int32_t>({0, 0}));
  EXPECT_THAT(Values<float>(outputs[0]), ElementsAre(INFINITY));
  EXPECT_THAT(Values<float>(outputs[1]), ElementsAre(0.5f, 0.5f, 0.5f, 0.5f));
}

TEST(CtcLoss, EachSequenceHasLabels) {
  const Tensor nowhere = Zeros(DType::kInt64, {0, 2}), none = Zeros(DType::kInt32, {0});
  const auto code = [&](const char* op) {
    return CodeOfKernel(op, {Zeros(DType::kFloat, {2, 1, 2}), nowhere, none, MakeVector<int32_t>({2})});
  };
  EXPECT_EQ(code("CTCLoss"), Code::kInvalidArgument);
  EXPECT_EQ(code("CTCLossV2"), Code::kOk);
}

TEST(CtcGreedyDecoder, ASequenceMayBeShorterThanNothing) {
  const auto code = [](const Shape& inputs, std::initializer_list<int32_t> lengths) {
    return CodeOfKernel("CTCGreedyDecoder", {Zeros(DType::kFloat, inputs), MakeVector<int32_t>(lengths)});
  };
  EXPECT_EQ(code({2, 2, 3}, {-1, 2}), Code::kOk);
  EXPECT_EQ(code({2, 2, 3}, {-1, 3}), Code::kFailedPrecondition);
  EXPECT_EQ(code({2, 2, 3}, {-1, 2, 2}), Code::kFailedPrecondition);
  EXPECT_EQ(code({2, 0, 3}, {2}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
