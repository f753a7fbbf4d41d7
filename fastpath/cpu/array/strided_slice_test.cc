#include <gtest/gtest.h>

#include <utility>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(StridedSlice, FollowsMasksAndNegativeStrides) {
  const Tensor x = Iota({3, 4});
  const auto slice = [&](const Tensor& begin, const Tensor& end, const Tensor& strides, AttrMap masks) {
    return RunKernel1("StridedSlice", {x, begin, end, strides}, std::move(masks));
  };
  EXPECT_EQ(Ints(slice(Vector({0, 3}), Vector({3, -5}), Vector({2, -2}), {})), (I{3, 1, 11, 9}));
  const Tensor row = slice(Vector({-1}), Vector({0}), Vector({1}), {{"shrink_axis_mask", int64_t{1}}});
  EXPECT_EQ(row.shape(), Shape({4}));
  EXPECT_EQ(Ints(row), (I{8, 9, 10, 11}));
  // x[..., newaxis, 1]
  const Tensor column =
      slice(Vector({0, 0, 1}), Vector({0, 0, 2}), Vector({1, 1, 1}),
            {{"ellipsis_mask", int64_t{1}}, {"new_axis_mask", int64_t{2}}, {"shrink_axis_mask", int64_t{4}}});
  EXPECT_EQ(column.shape(), Shape({3, 1}));
  EXPECT_EQ(Ints(column), (I{1, 5, 9}));
  EXPECT_EQ(slice(Vector({2}), Vector({1}), Vector({1}), {}).shape(), Shape({0, 4}));
}

TEST(StridedSlice, RefusesWhatTheShapeCannotSatisfy) {
  const Tensor x = Iota({3, 4});
  const auto code = [&](const Tensor& begin, const Tensor& end, const Tensor& strides, AttrMap masks) {
    return CodeOfKernel("StridedSlice", {x, begin, end, strides}, std::move(masks));
  };
  EXPECT_EQ(code(Vector({0}), Vector({1}), Vector({0}), {}), Code::kInvalidArgument);
  EXPECT_EQ(code(Vector({3}), Vector({4}), Vector({1}), {{"shrink_axis_mask", int64_t{1}}}), Code::kInvalidArgument);
  EXPECT_EQ(code(Vector({0, 0, 0}), Vector({1, 1, 1}), Vector({1, 1, 1}), {}), Code::kInvalidArgument);
  EXPECT_EQ(code(Vector({0, 0}), Vector({1}), Vector({1}), {}), Code::kInvalidArgument);
  EXPECT_EQ(code(Vector({0, 0}), Vector({1, 1}), Vector({1, 1}), {{"ellipsis_mask", int64_t{3}}}),
            Code::kInvalidArgument);
}

TEST(StridedSliceGrad, PutsTheGradientWhereTheSliceWasTaken) {
  const Tensor y =
      RunKernel1("StridedSliceGrad", {Vector({4}), Vector({3}), Vector({-5}), Vector({-2}), Vector({7, 8})});
  EXPECT_EQ(Ints(y), (I{0, 8, 0, 7}));
  EXPECT_EQ(CodeOfKernel("StridedSliceGrad", {Vector({4}), Vector({0}), Vector({4}), Vector({1}), Vector({7, 8})}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
