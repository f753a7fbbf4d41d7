#include <limits>

#include "fastpath/gpu/lib/testing/both.h"

namespace plumb::fast {
namespace {

// Of so many columns, `equal` are equal and the others as good as absent, so that nothing is rounded.
Tensor Logits(int64_t rows, int64_t columns, int64_t equal) {
  Tensor x(DType::kFloat, Shape({rows, columns}));
  int64_t i = 0;
  for (float& value : x.mutable_data<float>()) {
    value = i++ % columns >= columns - equal ? 2.0F : -std::numeric_limits<float>::infinity();
  }
  return x;
}

// Rows for a warp and for a block.
TEST(GpuSoftmax, SharesOutEvenly) {
  for (const int64_t columns : {40, 1024, 1025, 5000}) {
    const Tensor shares = AnswersTo({"Softmax", {Logits(3, columns, 32)}, {{"T", DType::kFloat}}}, true)[0];
    for (const float probability : shares.data<float>()) {
      EXPECT_TRUE(probability == 0.0F || probability == 1.0F / 32.0F) << probability;
    }
  }
}

// Lengths for each way in which rows are computed. Logits are 0 or so far below that their powers are 0.
constexpr int64_t kLengths[] = {1, 7, 10, 64, 255, 256, 260, 1000, 1024, 1025, 2050, 4096, 8192, 8200};

TEST(GpuSoftmax, RowsOfEveryLengthAreThoseOfTheCpu) {
  for (const int64_t length : kLengths) {
    Tensor x = Digits(Shape({9, length}));
    for (float& value : x.mutable_data<float>()) value = value < 5 ? 0.0F : -1000.0F;
    for (int64_t row = 0; row < 9; ++row) x.mutable_data<float>()[static_cast<size_t>(row * length)] = 0;
    ExpectSameOnBoth({"Softmax", {x}, {{"T", DType::kFloat}}});
  }
}

TEST(GpuSoftmax, LogarithmsOfRowsOfEveryLengthAreThoseOfTheCpu) {
  for (const int64_t length : kLengths) {
    Tensor x(DType::kFloat, Shape({9, length}));
    for (float& value : x.mutable_data<float>()) value = -1000;
    for (int64_t row = 0; row < 9; ++row) {
      x.mutable_data<float>()[static_cast<size_t>(row * length + row * 7919 % length)] = 0;
    }
    ExpectSameOnBoth({"LogSoftmax", {x}, {{"T", DType::kFloat}}});
  }
}

TEST(GpuCrossEntropy, OfOneClassThatIsCertainIsNothing) {
  for (const int64_t columns : {40, 1025}) {
    const Tensor labels = VectorOf(std::vector<int64_t>(3, columns - 1));
    const auto answers = AnswersTo({"SparseSoftmaxCrossEntropyWithLogits",
                                    {Logits(3, columns, 1), labels},
                                    {{"T", DType::kFloat}, {"Tlabels", DType::kInt64}},
                                    2},
                                   true);
    for (const Tensor& answer : answers) {
      for (const float value : answer.data<float>()) EXPECT_EQ(value, 0.0F);
    }
  }
}

}  // namespace
}  // namespace plumb::fast
