#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(Concat, JoinsAlongAnyAxisAndSplitUndoesIt) {
  const Tensor a = Iota({2, 2}), b = Iota({2, 3});
  const Tensor joined = RunKernel1("ConcatV2", {a, b, MakeScalar(1)}, {{"N", int64_t{2}}, {"T", DType::kInt32}});
  EXPECT_EQ(Ints(joined), (I{0, 1, 0, 1, 2, 2, 3, 3, 4, 5}));
  const auto parts = RunKernel("SplitV", {joined, Vector({2, -1}), MakeScalar(-1)}, {{"num_split", int64_t{2}}});
  EXPECT_TRUE(parts[0].BitwiseEquals(a));
  EXPECT_TRUE(parts[1].BitwiseEquals(b));
  const AttrMap pair = {{"N", int64_t{2}}, {"T", DType::kInt32}};
  EXPECT_TRUE(RunKernel1("Concat", {MakeScalar(-1), a, b}, pair).BitwiseEquals(joined));
  EXPECT_EQ(CodeOfKernel("Concat", {MakeScalar(0), a, b}, pair), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("ConcatV2", {a, b, MakeScalar(0)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("ConcatV2", {a, b, MakeScalar(2)}), Code::kInvalidArgument);
  EXPECT_TRUE(RunKernel1("Concat", {Vector({1}), a, b}, pair).BitwiseEquals(joined));
  EXPECT_EQ(CodeOfKernel("ConcatV2", {a, b, MakeTensor<int32_t>({1, 1}, {1})}), Code::kInvalidArgument);
  const AttrMap two = {{"num_split", int64_t{2}}};
  EXPECT_EQ(CodeOfKernel("SplitV", {joined, Vector({2, 2}), MakeScalar(1)}, two), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("SplitV", {joined, Vector({-5, 10}), MakeScalar(1)}, two), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Split", {MakeScalar(1), joined}, two), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
