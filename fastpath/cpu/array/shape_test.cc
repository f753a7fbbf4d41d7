#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(ShapeOps, TellShapes) {
  EXPECT_EQ(Ints(RunKernel1("Shape", {Iota({2, 3})})), (I{2, 3}));
  EXPECT_EQ(RunKernel1("Size", {Iota({2, 3})}, {{"out_type", DType::kInt64}}).scalar<int64_t>(), 6);
  EXPECT_EQ(RunKernel1("Rank", {Iota({2, 3})}).scalar<int32_t>(), 2);
}

}  // namespace
}  // namespace plumb::fast::cpu
