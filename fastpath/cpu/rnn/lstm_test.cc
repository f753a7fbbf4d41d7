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
Tensor Floats(const Shape& shape, float value) {
  Tensor tensor(DType::kFloat, shape);
  for (float& x : tensor.mutable_data<float>()) x = value;
  return tensor;
}
Tensor Biases(float second, float third) { return MakeVector<float>({0, second, third, 0}); }
Tensor None() { return MakeVector<float>({0}); }

// Weights of zero leave every gate at one half, and nothing at the cell's input: the state halves at each step.
TEST(LstmBlockCell, GatesAreHalfWithoutWeights) {
  const auto run = [](float clip) {
    return RunKernel("LSTMBlockCell",
                     {Matrix(1, 1, {5}), Matrix(1, 1, {1}), Matrix(1, 1, {3}), Floats({2, 4}, 0), None(), None(),
                      None(), Biases(0, 0)},
                     {{"forget_bias", 0.0f}, {"cell_clip", clip}});
  };
  const std::vector<Tensor> outputs = run(3);
  const float expected[] = {0.5, 0.5, 0.5, 0.5, 0, std::tanh(0.5f), 0.5f * std::tanh(0.5f)};
  for (size_t i = 0; i < 7; ++i) EXPECT_THAT(Values<float>(outputs[i]), ElementsAre(FloatEq(expected[i]))) << i;
  EXPECT_THAT(Values<float>(run(0.25)[1]), ElementsAre(0.25f));
}

// Without weights a cell depends on its own state and biases only, in whichever row of whichever length it stands.
TEST(LstmBlockCell, CellsOfLongRowsAreThoseOfShortOnes) {
  const auto run = [](int64_t batch, int64_t cells) {
    Tensor state(DType::kFloat, {batch, cells}), biases(DType::kFloat, {4 * cells});
    for (size_t i = 0; i < 600; ++i) state.mutable_data<float>()[i] = static_cast<float>(i % 37) / 8 - 2;
    for (size_t i = 0; i < 4 * static_cast<size_t>(cells); ++i) {
      biases.mutable_data<float>()[i] = static_cast<float>(i / static_cast<size_t>(cells)) / 4;
    }
    return RunKernel("LSTMBlockCell",
                     {Floats({batch, 1}, 1), state, Floats({batch, cells}, 1), Floats({1 + cells, 4 * cells}, 0),
                      Floats({cells}, 0.5F), Floats({cells}, 0.25F), Floats({cells}, -1), biases},
                     {{"use_peephole", true}});
  };
  const std::vector<Tensor> alone = run(2, 300), together = run(200, 3);
  for (size_t i = 0; i < 7; ++i) EXPECT_EQ(Values<float>(alone[i]), Values<float>(together[i])) << i;
}

TEST(LstmBlockCellGrad, FollowsTheFormulas) {
  const Tensor half = Matrix(1, 1, {0.5}), zero = Matrix(1, 1, {0}), one = Matrix(1, 1, {1});
  const std::vector<Tensor> gradients = RunKernel("LSTMBlockCellGrad",
                                                  {zero, one, zero, Floats({2, 4}, 0), None(), None(), None(),
                                                   Biases(0, 0), half, half, half, half, zero, zero, one, zero},
                                                  {{"use_peephole", true}});
  EXPECT_THAT(Values<float>(gradients[0]), ElementsAre(0.5f));
  EXPECT_THAT(Values<float>(gradients[1]), ElementsAre(0, 0.5f, 0.25f, 0));
  EXPECT_THAT(Values<float>(gradients[2]), ElementsAre(0));
  EXPECT_THAT(Values<float>(gradients[3]), ElementsAre(0.25f));
  EXPECT_THAT(Values<float>(gradients[4]), ElementsAre(0));
}

// The forget gate is the third column of BlockLSTM, and the second of V2; open, it keeps the state. Nothing is computed
// beyond seq_len_max.
TEST(BlockLstm, KeepsTheStateWhereTheForgetGateIsOpen) {
  const auto inputs = [](float second, float third) {
    return std::vector<Tensor>{MakeScalar<int64_t>(2),
                               Floats({3, 1, 1}, 7),
                               Matrix(1, 1, {1}),
                               Matrix(1, 1, {0}),
                               Floats({2, 4}, 0),
                               None(),
                               None(),
                               None(),
                               Biases(second, third)};
  };
  const std::vector<Tensor> first =
      RunKernel("BlockLSTM", {MakeScalar<int64_t>(2), Floats({3, 1, 1}, 7), Matrix(1, 1, {1}), Matrix(1, 1, {0}),
                              Floats({2, 4}, 0), None(), None(), None(), Biases(0, 100)});
  EXPECT_THAT(Values<float>(first[1]), ElementsAre(1, 1, 0));
  EXPECT_THAT(Values<float>(first[2]), ElementsAre(1, 1, 0));
  const std::vector<Tensor> second =
      RunKernel("BlockLSTMV2", {MakeScalar<int64_t>(2), Floats({3, 1, 1}, 7), Matrix(1, 1, {1}), Matrix(1, 1, {0}),
                                Floats({2, 4}, 0), None(), None(), None(), Biases(100, 0)});
  EXPECT_THAT(Values<float>(second[1]), ElementsAre(1, 1, 0));
  EXPECT_THAT(Values<float>(RunKernel("BlockLSTMV2", inputs(0, 0))[1]), ElementsAre(0.5f, 0.25f, 0));
}

TEST(BlockLstm, RefusesMoreStepsThanThereAre) {
  for (const int64_t steps : {-1, 2}) {
    EXPECT_EQ(CodeOfKernel("BlockLSTMV2", {MakeScalar<int64_t>(steps), Floats({1, 1, 1}, 7), Matrix(1, 1, {1}),
                                           Matrix(1, 1, {0}), Floats({2, 4}, 0), None(), None(), None(), Biases(0, 0)}),
              Code::kInvalidArgument);
  }
}

// One step, whose gates have the gradients 0, 1/2 (cell), 1/4 (forget) and 0.
TEST(BlockLstmGrad, LeadsThroughTheWeights) {
  const Tensor half = Floats({1, 1, 1}, 0.5), zero = Floats({1, 1, 1}, 0), one = Floats({1, 1, 1}, 1);
  const Tensor w = Matrix(2, 4, {1, 1, 1, 1, 0, 2, 0, 0});
  const AttrMap attrs = {{"use_peephole", false}};
  const auto first =
      RunKernel("BlockLSTMGrad",
                {MakeScalar<int64_t>(1), Floats({1, 1, 1}, 2), Matrix(1, 1, {1}), Matrix(1, 1, {3}), w, None(), None(),
                 None(), Biases(0, 0), half, half, half, half, zero, zero, zero, one, zero},
                attrs);
  EXPECT_THAT(Values<float>(first[0]), ElementsAre(0.75f));
  EXPECT_THAT(Values<float>(first[1]), ElementsAre(0.5f));
  EXPECT_THAT(Values<float>(first[2]), ElementsAre(1));
  EXPECT_THAT(Values<float>(first[3]), ElementsAre(0, 1, 0.5f, 0, 0, 1.5f, 0.75f, 0));
  EXPECT_THAT(Values<float>(first[7]), ElementsAre(0, 0.5f, 0.25f, 0));
  const auto second =
      RunKernel("BlockLSTMGradV2",
                {MakeScalar<int64_t>(1), Floats({1, 1, 1}, 2), Matrix(1, 1, {1}), Matrix(1, 1, {3}), w, None(), None(),
                 None(), Biases(0, 0), half, half, half, half, zero, zero, zero, one, zero},
                attrs);
  EXPECT_THAT(Values<float>(second[2]), ElementsAre(0.5f));
  EXPECT_THAT(Values<float>(second[7]), ElementsAre(0, 0.25f, 0.5f, 0));
}

// Rows and cells that repeat a pattern of three and two, with numbers whose sums are exact in any order.
class Patterns {
 public:
  Patterns(int64_t batch, int64_t cells) : batch_(batch), cells_(cells) {}

  // −1, 0 or 1 for each row and cell, the same at all times.
  Tensor Of(int which, std::vector<int64_t> dims) const {
    Tensor tensor(DType::kFloat, Shape(dims));
    int64_t i = 0;
    for (float& x : tensor.mutable_data<float>()) {
      x = static_cast<float>((which + i / dims.back() % batch_ % 3 + 2 * (i % dims.back() % 2)) % 3 - 1);
      ++i;
    }
    return tensor;
  }
  // What each cell passes on to itself alone, by its input gate; and the first to x.
  Tensor Weights() const {
    Tensor w = Floats({1 + cells_, 4 * cells_}, 0);
    w.mutable_data<float>()[0] = 1;
    for (int64_t j = 0; j < cells_; ++j) w.mutable_data<float>()[(1 + j) * 4 * cells_ + j] = 1;
    return w;
  }
  std::vector<Tensor> Gradients() const {
    const std::vector<int64_t> one = {batch_, cells_}, all = {2, batch_, cells_};
    const Tensor half = Floats(Shape(all), 0.5F), ones = Floats({cells_}, 1);
    return RunKernel("BlockLSTMGrad",
                     {MakeScalar<int64_t>(2), Of(0, {2, batch_, 1}), Of(1, one), Of(2, one), Weights(), ones, ones,
                      ones, Floats({4 * cells_}, 0), half, Of(0, all), half, half, Of(1, all), Of(2, all), Of(0, all),
                      Of(1, all), Of(2, all)},
                     {{"use_peephole", true}});
  }

 private:
  const int64_t batch_, cells_;
};

// So many rows and cells that every loop is cut: each has what it has among few, and sums are multiples of theirs.
TEST(BlockLstmGrad, OfManyRowsIsThatOfFew) {
  constexpr int64_t kTimes = 342, kCells = 64;
  const std::vector<Tensor> few = Patterns(3, 2).Gradients(), many = Patterns(3 * kTimes, kCells).Gradients();
  const auto number = [](const Tensor& tensor, int64_t row, int64_t column) {
    return tensor.data<float>()[static_cast<size_t>(row * tensor.dim(tensor.rank() - 1) + column)];
  };
  for (int64_t row = 0; row < 3 * kTimes; ++row) {
    ASSERT_EQ(number(many[0], row, 0), number(few[0], row % 3, 0)) << row;
    for (int64_t j = 0; j < kCells; ++j) {
      ASSERT_EQ(number(many[1], row, j), number(few[1], row % 3, j % 2)) << row << ", " << j;
      ASSERT_EQ(number(many[2], row, j), number(few[2], row % 3, j % 2)) << row << ", " << j;
    }
  }
  for (int64_t k = 0; k < 4 * kCells; ++k) {
    const int64_t like = k / kCells * 2 + k % 2;  // of the same gate
    for (int64_t row = 0; row <= kCells; ++row) {
      const int64_t of = row == 0 ? 0 : 1 + (row - 1) % 2;
      ASSERT_EQ(number(many[3], row, k), kTimes * number(few[3], of, like)) << row << ", " << k;
    }
    ASSERT_EQ(number(many[7], 0, k), kTimes * number(few[7], 0, like)) << k;
    for (size_t peephole = 4; peephole < 7 && k < kCells; ++peephole) {
      ASSERT_EQ(number(many[peephole], 0, k), kTimes * number(few[peephole], 0, k % 2)) << peephole << ", " << k;
    }
  }
  EXPECT_NE(number(few[4], 0, 0), 0);
}

}  // namespace
}  // namespace plumb::fast::cpu
