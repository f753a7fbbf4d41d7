#include <gmock/gmock.h>

#include <cmath>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

TEST(Loss, SparseAndDenseCrossEntropyAgree) {
  const Value logits = MakeTensor<float>({2, 2}, {0, 0, 3, 1});
  const auto dense = KernelCall{
      "SoftmaxCrossEntropyWithLogits",
      {logits, MakeTensor<float>({2, 2}, {0, 1, 1, 0})},
      {},
      {DType::kFloat,
       DType::kFloat}}.Run();
  const auto sparse =
      KernelCall{"SparseSoftmaxCrossEntropyWithLogits", {logits, Ints({1, 0})}, {}, {DType::kFloat, DType::kFloat}}
          .Run();
  EXPECT_EQ(Floats(dense[0]), Floats(sparse[0]));
  EXPECT_EQ(Floats(dense[1]), Floats(sparse[1]));
  EXPECT_EQ(Floats(sparse[0])[0], std::log(2.0f));
  EXPECT_EQ(Floats(sparse[1])[1], -0.5f);
}

TEST(Loss, LabelsOutsideTheClassesAreRefused) {
  for (const int label : {-1, 2}) {
    const KernelCall call{"SparseSoftmaxCrossEntropyWithLogits",
                          {MakeTensor<float>({1, 2}, {0, 1}), Ints({label})},
                          {},
                          {DType::kFloat, DType::kFloat}};
    EXPECT_EQ(call.Fails(), Code::kInvalidArgument) << label;
  }
}

TEST(CtcLoss, EachSequenceHasLabels) {
  const auto loss = [](const char* op) {
    return KernelCall{
        op,
        {Zeros(DType::kFloat, {2, 1, 2}), Zeros(DType::kInt64, {0, 2}), Zeros(DType::kInt32, {0}), Ints({2})},
        {{"preprocess_collapse_repeated", false},
         {"ctc_merge_repeated", true},
         {"ignore_longer_outputs_than_inputs", false}},
        {DType::kFloat, DType::kFloat}};
  };
  EXPECT_EQ(loss("CTCLoss").Fails(), Code::kInvalidArgument);
  // Two times of two classes, equally probable, all blank: one way of four.
  EXPECT_FLOAT_EQ(Floats(loss("CTCLossV2").Run()[0])[0], std::log(4.0f));
}

TEST(CtcGreedyDecoder, TakesNoTimesForFewerThanNone) {
  const auto decode = [](const Shape& inputs, std::initializer_list<int32_t> lengths) {
    return KernelCall{"CTCGreedyDecoder",
                      {Zeros(DType::kFloat, inputs), Ints(lengths)},
                      {{"blank_index", -1}, {"merge_repeated", false}},
                      {DType::kInt64, DType::kInt64, DType::kInt64, DType::kFloat}};
  };
  EXPECT_THAT(Integers(decode({2, 2, 3}, {-4, 1}).Run()[0]), ElementsAre(1, 0));
  EXPECT_EQ(decode({2, 2, 3}, {3, 1}).Fails(), Code::kFailedPrecondition);
  EXPECT_EQ(decode({2, 2, 3}, {1}).Fails(), Code::kFailedPrecondition);
  EXPECT_EQ(decode({2, 0, 3}, {1}).Fails(), Code::kInvalidArgument) << "inputs must not be empty";
}

TEST(Loss, L2IsHalfTheSumOfSquares) {
  EXPECT_THAT(Floats(KernelCall{"L2Loss", {Vector({3, 4})}}()), ElementsAre(12.5));
}

}  // namespace
}  // namespace plumb::reference
