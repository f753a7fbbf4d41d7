#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

AttrMap Attrs(const char* padding, int64_t size, int64_t stride) {
  return {{"ksize", Ints{1, size, size, 1}}, {"strides", Ints{1, stride, stride, 1}}, {"padding", padding}};
}

Tensor Square() { return MakeTensor<float>({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}); }

TEST(AvgPool, CountsOnlyElementsOfTheImage) {
  EXPECT_EQ(Values<float>(RunKernel1("AvgPool", {Square()}, Attrs("VALID", 2, 1))), Floats({3, 4, 6, 7}));
  EXPECT_EQ(Values<float>(RunKernel1("AvgPool", {Square()}, Attrs("SAME", 2, 2))), Floats({3, 4.5, 7.5, 9}));
}

TEST(AvgPoolGrad, SpreadsEqually) {
  const Tensor shape = MakeVector<int32_t>({1, 3, 3, 1}), dy = MakeTensor<float>({1, 2, 2, 1}, {4, 2, 2, 1});
  EXPECT_EQ(Values<float>(RunKernel1("AvgPoolGrad", {shape, dy}, Attrs("SAME", 2, 2))),
            Floats({1, 1, 1, 1, 1, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace plumb::fast::cpu
