#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
using F = std::vector<float>;

TEST(CrossEntropy, OfOneClassDoesNotLookAtInfiniteOthers) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const Tensor logits = MakeTensor<float>({2, 2}, {-kInf, 3, -kInf, 3});
  const auto loss =
      Values<float>(RunKernel("SparseSoftmaxCrossEntropyWithLogits", {logits, MakeTensor<int32_t>({2}, {1, 0})})[0]);
  EXPECT_EQ(loss, (std::vector<float>{0, kInf}));
}

TEST(CrossEntropy, OfAUniformGuessIsTheLogarithmOfTheClasses) {
  const Tensor logits = Zeros(DType::kFloat, {2, 4});
  const Tensor labels = MakeTensor<float>({2, 4}, {1, 0, 0, 0, 0, 0, 1, 0});
  const float wanted = std::log(4.0f);
  for (const auto& outputs : {RunKernel("SoftmaxCrossEntropyWithLogits", {logits, labels}),
                              RunKernel("SparseSoftmaxCrossEntropyWithLogits", {logits, Vector({0, 2})})}) {
    EXPECT_EQ(Values<float>(outputs[0]), (F{wanted, wanted}));
    EXPECT_EQ(Values<float>(outputs[1]), (F{-0.75f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f, -0.75f, 0.25f}));
  }
  const auto one_row = RunKernel("SoftmaxCrossEntropyWithLogits", {logits, MakeTensor<float>({1, 4}, {1, 0, 0, 0})});
  EXPECT_EQ(one_row[1].shape(), Shape({2, 4}));
  EXPECT_EQ(CodeOfKernel("SparseSoftmaxCrossEntropyWithLogits", {logits, Vector({0, 4})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("SparseSoftmaxCrossEntropyWithLogits", {logits, Vector({0})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("SoftmaxCrossEntropyWithLogits", {logits, Zeros(DType::kFloat, {2, 3})}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
