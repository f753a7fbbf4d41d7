#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(Gather, PicksRowsAlongAnyAxis) {
  const Tensor x = Iota({2, 3, 2});
  EXPECT_EQ(Ints(RunKernel1("GatherV2", {x, Vector({2, 0}), MakeScalar(1)})), (I{4, 5, 0, 1, 10, 11, 6, 7}));
  const Tensor batched =
      RunKernel1("GatherV2", {x, MakeTensor<int32_t>({2, 1}, {2, 0}), MakeScalar(1)}, {{"batch_dims", int64_t{1}}});
  EXPECT_EQ(batched.shape(), Shape({2, 1, 2}));
  EXPECT_EQ(Ints(batched), (I{4, 5, 6, 7}));
  EXPECT_EQ(CodeOfKernel("GatherV2", {x, Vector({3}), MakeScalar(1)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("GatherV2", {x, Vector({-1}), MakeScalar(1)}), Code::kInvalidArgument);
  const Tensor strings = MakeVector<std::string>({"a", "b", "c"});
  EXPECT_EQ(RunKernel1("GatherV2", {strings, Vector({2}), MakeScalar(0)}).data<std::string>()[0], "c");
}

}  // namespace
}  // namespace plumb::fast::cpu
