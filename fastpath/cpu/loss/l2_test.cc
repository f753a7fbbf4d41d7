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

}  // namespace
}  // namespace plumb::fast::cpu
