#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using F = std::vector<float>;

TEST(UnsortedSegmentSum, AddsRowsAndDropsNegativeSegments) {
  const Tensor data = MakeTensor<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(Values<float>(RunKernel1("UnsortedSegmentSum", {data, Vector({2, -1, 2}), MakeScalar(3)})),
            (F{0, 0, 0, 0, 6, 8}));
  EXPECT_EQ(CodeOfKernel("UnsortedSegmentSum", {data, Vector({3, 0, 0}), MakeScalar(3)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("UnsortedSegmentSum", {data, Vector({0}), MakeScalar(3)}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
