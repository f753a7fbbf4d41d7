#include <gmock/gmock.h>

#include <algorithm>
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

// Numbers between 1/8 and 1, of which neighbours have different ones.
Tensor Eighths(const Shape& shape, int64_t factor) {
  Tensor tensor(DType::kFloat, shape);
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    tensor.mutable_data<float>()[static_cast<size_t>(i)] = static_cast<float>((i * factor + i / 7) % 8 + 1) / 8;
  }
  return tensor;
}

float Gate(float sum) { return 1 / (1 + std::exp(-sum)); }

// Without weights of the state each cell follows the formulas by itself, in rows that are taken alone as well.
TEST(GruBlockCell, FollowsTheFormulasInRowsOfEveryLength) {
  for (const int64_t cells : {127, 128, 129, 256, 257, 300}) {
    const Tensor x = Eighths({3, 1}, 3), h = Eighths({3, cells}, 5), b_ru = Eighths({2 * cells}, 1),
                 b_c = Eighths({cells}, 3);
    Tensor w_ru = Zeros(DType::kFloat, {1 + cells, 2 * cells}), w_c = Zeros(DType::kFloat, {1 + cells, cells});
    const Tensor of_x_ru = Eighths({2 * cells}, 7), of_x_c = Eighths({cells}, 5);
    std::ranges::copy(of_x_ru.data<float>(), w_ru.mutable_data<float>().begin());
    std::ranges::copy(of_x_c.data<float>(), w_c.mutable_data<float>().begin());
    const std::vector<Tensor> outputs = RunKernel("GRUBlockCell", {x, h, w_ru, w_c, b_ru, b_c});
    for (size_t i = 0; i < static_cast<size_t>(3 * cells); ++i) {
      const size_t n = static_cast<size_t>(cells), row = i / n, k = i % n;
      const auto at = [](const Tensor& tensor, size_t where) { return tensor.data<float>()[where]; };
      const auto sum = [&](const Tensor& weights, const Tensor& biases, size_t column) {
        return at(x, row) * at(weights, column) + at(biases, column);
      };
      const float r = Gate(sum(of_x_ru, b_ru, k)), u = Gate(sum(of_x_ru, b_ru, n + k)),
                  c = std::tanh(sum(of_x_c, b_c, k));
      const float expected[] = {r, u, c, u * at(h, i) + (1 - u) * c};
      for (size_t output = 0; output < 4; ++output) {
        ASSERT_THAT(at(outputs[output], i), FloatEq(expected[output])) << cells << " cells, element " << i;
      }
    }
  }
}

// Without weights a cell's gradients depend on its own state and gates only, in whichever row of whichever length.
TEST(GruBlockCellGrad, CellsOfLongRowsAreThoseOfShortOnes) {
  const auto run = [](int64_t batch, int64_t cells) {
    const Shape state = {batch, cells};
    return RunKernel(
        "GRUBlockCellGrad",
        {Zeros(DType::kFloat, {batch, 1}), Eighths(state, 3), Zeros(DType::kFloat, {1 + cells, 2 * cells}),
         Zeros(DType::kFloat, {1 + cells, cells}), Zeros(DType::kFloat, {2 * cells}), Zeros(DType::kFloat, {cells}),
         Eighths(state, 5), Eighths(state, 7), Eighths(state, 1), Eighths(state, 3)});
  };
  const std::vector<Tensor> alone = run(2, 300), together = run(200, 3);
  for (const size_t output : {1, 2}) EXPECT_EQ(Values<float>(alone[output]), Values<float>(together[output])) << output;
  const auto of_gate = [](const Tensor& gates, size_t cells, size_t gate, size_t i) {
    return gates.data<float>()[(i / cells * 2 + gate) * cells + i % cells];
  };
  for (size_t i = 0; i < 600; ++i) {
    for (const size_t gate : {0, 1}) EXPECT_EQ(of_gate(alone[3], 300, gate, i), of_gate(together[3], 3, gate, i)) << i;
  }
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
