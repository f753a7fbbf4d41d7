#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(Pack, StacksAndUnpackUndoesIt) {
  const Tensor a = Iota({3}), b = Vector({7, 8, 9});
  const Tensor rows = RunKernel1("Pack", {a, b}), columns = RunKernel1("Pack", {a, b}, {{"axis", int64_t{-1}}});
  EXPECT_EQ(Ints(rows), (I{0, 1, 2, 7, 8, 9}));
  EXPECT_EQ(Ints(columns), (I{0, 7, 1, 8, 2, 9}));
  const auto parts = RunKernel("Unpack", {columns}, {{"num", int64_t{2}}, {"axis", int64_t{1}}});
  EXPECT_TRUE(parts[0].BitwiseEquals(a));
  EXPECT_TRUE(parts[1].BitwiseEquals(b));
  EXPECT_EQ(CodeOfKernel("Unpack", {columns}, {{"num", int64_t{3}}, {"axis", int64_t{1}}}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Pack", {a, Vector({1})}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
