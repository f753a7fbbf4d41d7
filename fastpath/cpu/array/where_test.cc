#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

TEST(Where, GivesCoordinatesInOrder) {
  const Tensor places = RunKernel1("Where", {MakeTensor<bool>({2, 2}, {false, true, true, false})});
  EXPECT_TRUE(places.BitwiseEquals(MakeTensor<int64_t>({2, 2}, {0, 1, 1, 0})));
  EXPECT_EQ(RunKernel1("Where", {MakeVector<bool>({false})}).shape(), Shape({0, 1}));
}

}  // namespace
}  // namespace plumb::fast::cpu
