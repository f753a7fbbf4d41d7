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

Tensor Vector(std::initializer_list<int32_t> values) { return MakeVector<int32_t>(values); }

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
