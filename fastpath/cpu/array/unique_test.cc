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
