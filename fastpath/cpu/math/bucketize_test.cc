#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

TEST(Bucketize, HalvesBoundariesWithNaN) {
  const Tensor x = MakeVector<float>({-1, 0, 1, 2, 3, NAN});
  using Ints = std::vector<int32_t>;
  const auto buckets = [&](std::vector<float> boundaries) {
    return Values<int32_t>(RunKernel1("Bucketize", {x}, {{"boundaries", boundaries}}));
  };
  EXPECT_EQ(buckets({0, 2, 2}), (Ints{0, 1, 1, 3, 3, 3}));
  EXPECT_EQ(buckets({0, NAN, 2}), (Ints{2, 2, 2, 3, 3, 3}));
  EXPECT_EQ(buckets({NAN, 1}), (Ints{1, 1, 2, 2, 2, 2}));
  EXPECT_EQ(CodeOfKernel("Bucketize", {x}, {{"boundaries", std::vector<float>{2, 1}}}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
