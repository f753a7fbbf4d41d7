#include <gmock/gmock.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

Tensor Matrix(int64_t rows, int64_t columns, std::initializer_list<float> values) {
  return MakeTensor<float>({rows, columns}, values);
}

// Gates without weights are one half: the candidate is tanh(0.25·1 + 0.5·(0.5·2) + 0.25).
TEST(GruBlockCell, MixesStateAndCandidate) {
  const std::vector<Tensor> outputs =
      RunKernel("GRUBlockCell", {Matrix(1, 1, {1}), Matrix(1, 1, {2}), Matrix(2, 2, {0, 0, 0, 0}),
                                 Matrix(2, 1, {0.25, 0.5}), MakeVector<float>({0, 0}), MakeVector<float>({0.25})});
  const float expected[] = {0.5, 0.5, std::tanh(1.0F), 1 + 0.5F * std::tanh(1.0F)};
  for (size_t i = 0; i < 4; ++i) EXPECT_THAT(Values<float>(outputs[i]), ElementsAre(FloatEq(expected[i]))) << i;
}

// Of the candidate 1/2·(1 − 1/4), of the update gate (2 − 1/2)·1/4; through w_c 0.375·6 comes back to r·h_prev.
TEST(GruBlockCellGrad, FollowsTheFormulas) {
  const Tensor half = Matrix(1, 1, {0.5}), none = MakeVector<float>({0});
  const std::vector<Tensor> gradients = RunKernel(
      "GRUBlockCellGrad", {Matrix(1, 1, {1}), Matrix(1, 1, {2}), Matrix(2, 2, {1, 2, 3, 4}), Matrix(2, 1, {5, 6}),
                           MakeVector<float>({0, 0}), none, half, half, half, Matrix(1, 1, {1})});
  EXPECT_THAT(Values<float>(gradients[0]), ElementsAre(3.75F));
  EXPECT_THAT(Values<float>(gradients[1]), ElementsAre(6.5F));
  EXPECT_THAT(Values<float>(gradients[2]), ElementsAre(0.375F));
  EXPECT_THAT(Values<float>(gradients[3]), ElementsAre(1.125F, 0.375F));
}

TEST(GruBlockCell, RefusesShapesThatDoNotFit) {
  const auto code = [](const Shape& h_prev, const Shape& bias) {
    return CodeOfKernel("GRUBlockCell",
                        {Zeros(DType::kFloat, {2, 2}), Zeros(DType::kFloat, h_prev), Zeros(DType::kFloat, {5, 6}),
                         Zeros(DType::kFloat, {5, 3}), Zeros(DType::kFloat, bias), Zeros(DType::kFloat, {3})});
  };
  EXPECT_EQ(code({2, 3}, {6}), Code::kOk);
  EXPECT_EQ(code({1, 3}, {6}), Code::kInvalidArgument);
  EXPECT_EQ(code({2, 3}, {5}), Code::kInvalidArgument);
  EXPECT_EQ(code({2, 3}, {6, 1}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
