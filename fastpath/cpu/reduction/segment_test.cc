#include <gtest/gtest.h>

#include <cmath>

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

TEST(UnsortedSegment, OfNaNAndANumberTheLaterIsTheExtreme) {  // N12
  const Tensor data = MakeVector<float>({1, NAN, 0, NAN, 3, NAN, 2, 1, NAN}), count = MakeScalar(3);
  const Tensor ids = Vector({0, 0, 0, 1, 1, 1, 1, 2, 2});
  for (const char* op : {"UnsortedSegmentMax", "UnsortedSegmentMin"}) {
    const F found = Values<float>(RunKernel1(op, {data, ids, count}));
    EXPECT_EQ(found[0], 0) << op;
    EXPECT_EQ(found[1], 2) << op;
    EXPECT_TRUE(std::isnan(found[2])) << op;
    EXPECT_TRUE(
        std::signbit(Values<float>(RunKernel1(op, {MakeVector<float>({0.F, -0.F}), Vector({0, 0}), count}))[0]));
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
