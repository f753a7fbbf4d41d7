#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(DynamicPartition, DealsRowsOutAndStitchPutsThemBack) {
  const Tensor x = Iota({4, 2}), parts = Vector({1, 0, 1, 1}), places = Iota({4});
  const AttrMap two = {{"num_partitions", int64_t{2}}};
  const auto rows = RunKernel("DynamicPartition", {x, parts}, two);
  EXPECT_EQ(Ints(rows[0]), (I{2, 3}));
  EXPECT_EQ(Ints(rows[1]), (I{0, 1, 4, 5, 6, 7}));
  const auto where = RunKernel("DynamicPartition", {places, parts}, two);
  EXPECT_TRUE(RunKernel1("DynamicStitch", {where[0], where[1], rows[0], rows[1]}).BitwiseEquals(x));
  EXPECT_EQ(CodeOfKernel("DynamicPartition", {x, Vector({2, 0, 1, 1})}, two), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DynamicPartition", {x, Vector({0})}, two), Code::kInvalidArgument);
}

TEST(DynamicStitch, LeavesZerosInGapsAndLetsTheLastOneWin) {
  EXPECT_EQ(Ints(RunKernel1("DynamicStitch", {Vector({3, 0}), MakeScalar(0), Vector({5, 6}), MakeScalar(7)})),
            (I{7, 0, 0, 5}));
  EXPECT_EQ(CodeOfKernel("DynamicStitch", {Vector({-1}), Vector({5})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("DynamicStitch", {Vector({INT32_MAX}), Vector({5})}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
