#include <gtest/gtest.h>

#include <numeric>

#include "fastpath/cpu/lib/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

I Ints(const Tensor& tensor) {
  const auto values = tensor.data<int32_t>();
  return {values.begin(), values.end()};
}

Tensor Iota(const Shape& shape) {
  Tensor x(DType::kInt32, shape);
  std::iota(x.mutable_data<int32_t>().begin(), x.mutable_data<int32_t>().end(), 0);
  return x;
}

TEST(ShapeOps, TellShapes) {
  EXPECT_EQ(Ints(RunKernel1("Shape", {Iota({2, 3})})), (I{2, 3}));
  EXPECT_EQ(RunKernel1("Size", {Iota({2, 3})}, {{"out_type", DType::kInt64}}).scalar<int64_t>(), 6);
  EXPECT_EQ(RunKernel1("Rank", {Iota({2, 3})}).scalar<int32_t>(), 2);
}

}  // namespace
}  // namespace plumb::fast::cpu
