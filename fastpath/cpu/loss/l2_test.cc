#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

TEST(L2Loss, IsHalfTheSumOfSquares) {
  EXPECT_EQ(RunKernel1("L2Loss", {MakeVector<float>({3, 4})}).scalar<float>(), 12.5f);
  EXPECT_EQ(RunKernel1("L2Loss", {Zeros(DType::kFloat, {0})}).scalar<float>(), 0);
  Tensor ones(DType::kFloat, {200000});
  for (float& value : ones.mutable_data<float>()) value = 1;
  EXPECT_EQ(RunKernel1("L2Loss", {ones}, {}, 2).scalar<float>(), 100000);
}

// What TensorFlow 2.12.1 answers: 256² is none of float16, though half of it is.
TEST(L2Loss, SquaresOverflowAsTheirTypeDoes) {
  const auto loss = [](std::initializer_list<float> numbers) {
    std::vector<Half> halves(numbers.begin(), numbers.end());
    const Tensor x = MakeTensor<Half>({static_cast<int64_t>(halves.size())}, std::span<const Half>(halves));
    return static_cast<float>(RunKernel1("L2Loss", {x}).scalar<Half>());
  };
  EXPECT_EQ(loss({256}), INFINITY);
  EXPECT_EQ(loss({3, -256}), INFINITY);
  EXPECT_EQ(loss({255.875F, 200}), 52736);
}

}  // namespace
}  // namespace plumb::fast::cpu
