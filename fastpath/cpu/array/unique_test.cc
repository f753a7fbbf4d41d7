#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(Unique, KeepsTheOrderOfFirstOccurrence) {
  const auto found = RunKernel("Unique", {Vector({5, 3, 5, 9, 3})});
  EXPECT_EQ(Ints(found[0]), (I{5, 3, 9}));
  EXPECT_EQ(Ints(found[1]), (I{0, 1, 0, 2, 1}));
  const auto zeros = RunKernel("Unique", {MakeVector<float>({0.0f, -0.0f})});
  EXPECT_EQ(zeros[0].elements(), 1);
  EXPECT_EQ(CodeOfKernel("Unique", {Iota({2, 2})}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
