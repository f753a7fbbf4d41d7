#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

const Tensor kRows = MakeTensor<float>({3, 2}, {1, 2, 3, 4, 5, 6});
using F = std::vector<float>;

TEST(SparseSegment, AddsRowsAndDividesByTheirNumberOrItsRoot) {
  EXPECT_EQ(Values<float>(RunKernel1("SparseSegmentSum", {kRows, Vector({0, 2, 1}), Vector({0, 0, 2})})),
            (F{6, 8, 0, 0, 3, 4}));
  EXPECT_EQ(Values<float>(RunKernel1("SparseSegmentMean", {kRows, Vector({0, 2, 1}), Vector({0, 0, 1})})),
            (F{3, 4, 3, 4}));
  EXPECT_EQ(Values<float>(RunKernel1("SparseSegmentSqrtN", {kRows, Vector({0, 1, 2, 0}), Vector({0, 0, 0, 0})})),
            (F{5, 7}));
  const Tensor indices = Vector({0, 1, 2, 0, 1}), ids = Vector({0, 0, 0, 0, 2});
  const Tensor three = MakeScalar<int32_t>(3), two = MakeScalar<int32_t>(2);
  EXPECT_EQ(Values<float>(RunKernel1("SparseSegmentSqrtNWithNumSegments", {kRows, indices, ids, three})),
            (F{5, 7, 0, 0, 3, 4}));
  EXPECT_EQ(CodeOfKernel("SparseSegmentSqrtNWithNumSegments", {kRows, indices, ids, two}), Code::kInvalidArgument);
}

TEST(SparseSegment, RefusesWhatIsOutOfPlace) {
  const auto code = [](std::initializer_list<int32_t> indices, std::initializer_list<int32_t> ids) {
    return CodeOfKernel("SparseSegmentSum", {kRows, Vector(indices), Vector(ids)});
  };
  EXPECT_EQ(code({3}, {0}), Code::kInvalidArgument);
  EXPECT_EQ(code({-1}, {0}), Code::kInvalidArgument);
  EXPECT_EQ(code({0, 0}, {1, 0}), Code::kInvalidArgument);
  EXPECT_EQ(code({0}, {-1}), Code::kInvalidArgument);
  EXPECT_EQ(code({0}, {INT32_MAX}), Code::kInvalidArgument);
  EXPECT_EQ(code({0, 1}, {0}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("SparseSegmentSum", {MakeScalar<float>(1), Vector({0}), Vector({0})}), Code::kInvalidArgument);
}

TEST(SparseSegment, GradientsGoBackToTheirRows) {
  const Tensor grad = MakeTensor<float>({2, 1}, {8, 3});
  const Tensor rows = MakeScalar<int32_t>(3);
  EXPECT_EQ(Values<float>(RunKernel1("SparseSegmentMeanGrad", {grad, Vector({0, 2, 2}), Vector({0, 0, 1}), rows})),
            (F{4, 0, 7}));
  EXPECT_EQ(Values<float>(RunKernel1("SparseSegmentSumGrad", {grad, Vector({0, 2, 2}), Vector({0, 0, 1}), rows})),
            (F{8, 0, 11}));
}

TEST(UnsortedSegment, EmptySegmentsHaveTheWorstFiniteNumber) {
  const Tensor data = MakeVector<float>({1, -2, -INFINITY});
  const Tensor count = MakeScalar<int32_t>(3);
  EXPECT_EQ(Values<float>(RunKernel1("UnsortedSegmentMax", {data, Vector({0, 0, 2}), count})),
            (F{1, std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest()}));
  EXPECT_EQ(Values<float>(RunKernel1("UnsortedSegmentProd", {data, Vector({1, 1, -1}), count})), (F{1, -2, 1}));
}

}  // namespace
}  // namespace plumb::fast::cpu
