#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(Slice, TakesABox) {
  const Tensor x = Iota({3, 4});
  EXPECT_EQ(Ints(RunKernel1("Slice", {x, Vector({1, 2}), Vector({2, -1})})), (I{6, 7, 10, 11}));
  for (const Tensor& size : {Vector({3, 1}), Vector({-2, 1}), Vector({1})}) {
    EXPECT_EQ(CodeOfKernel("Slice", {x, Vector({1, 0}), size}), Code::kInvalidArgument) << size.ToString();
  }
  const Tensor far = MakeVector<int64_t>({INT64_MAX, 0}), one = MakeVector<int64_t>({1, 1});
  EXPECT_EQ(CodeOfKernel("Slice", {x, far, one}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
