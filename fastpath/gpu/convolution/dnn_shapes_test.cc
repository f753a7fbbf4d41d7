#include "fastpath/gpu/convolution/dnn_shapes.h"

#include <gtest/gtest.h>

#include <limits>

namespace plumb::fast::emulated_gpu {
namespace {

// What an output of cuDNN's sees at k, of the op's input; negative where that is padding.
int64_t SeenInCudnn(const WindowAxis& axis, const DnnPadding& padding, int64_t output, int64_t k) {
  const int64_t in_padded = output * axis.stride - padding.both + k * axis.dilation;
  const int64_t at = in_padded - padding.before;
  return at >= 0 && at < axis.input ? at : -1;
}

// An axis whose outputs are as many as its windows, with so much padding on each side.
WindowAxis AxisOf(int64_t input, int64_t window, int64_t stride, int64_t dilation, int64_t before, int64_t after) {
  const int64_t extent = (window - 1) * dilation + 1, room = input + before + after - extent;
  return {input, window, stride, dilation, before, room < 0 ? 0 : room / stride + 1};
}

void ExpectSameWindows(const WindowAxis& axis) {
  const DnnPadding padding = PaddingOf(axis);
  ASSERT_TRUE(padding.both >= 0 && padding.before >= 0 && padding.after >= 0);
  const int64_t padded = axis.input + padding.before + padding.after;
  const int64_t room = padded + 2 * padding.both - ((axis.window - 1) * axis.dilation + 1);
  ASSERT_GE(room, 0);
  ASSERT_EQ(room / axis.stride + 1, axis.output);
  for (int64_t output = 0; output < axis.output; ++output) {
    for (int64_t k = 0; k < axis.window; ++k) {
      const int64_t at = axis.At(output, k);
      ASSERT_EQ(SeenInCudnn(axis, padding, output, k), at < 0 ? -1 : at);
    }
  }
}

TEST(DnnShapes, SeeTheSameHoweverMuchIsPaddedOnASide) {
  for (const int64_t input : {1, 2, 5, 8}) {
    for (const int64_t window : {1, 2, 3}) {
      for (const int64_t stride : {1, 2, 5}) {
        for (const int64_t dilation : {1, 3}) {
          for (int64_t before = 0; before < 5; ++before) {
            for (int64_t after = 0; after < 5; ++after) {
              const WindowAxis axis = AxisOf(input, window, stride, dilation, before, after);
              if (axis.output == 0) continue;
              SCOPED_TRACE(Str("input ", input, ", window ", window, ", stride ", stride, ", dilation ", dilation,
                               ", padding ", before, " and ", after));
              ExpectSameWindows(axis);
            }
          }
        }
      }
    }
  }
}

// Rows: 2 on both sides. Columns: 1 before and 2 after are 1 on both sides and another column.
TEST(DnnShapes, AreDescribedAsCudnnCounts) {
  PatchGrid grid;
  grid.from = {2, 6, 5, 4, false};
  grid.depth = 4;
  grid.rows = AxisOf(6, 5, 1, 1, 2, 2);
  grid.columns = AxisOf(5, 4, 1, 1, 1, 2);
  grid.to = grid.from.Resized(1, grid.rows.output, grid.columns.output, 3);
  const DnnShapes last(grid, false), first(grid, true);
  const auto problem = last.ProblemOf(DnnPass::kForward, DType::kHalf);
  ASSERT_TRUE(problem.has_value());
  using Ints = std::vector<int>;
  EXPECT_EQ(problem->x, Ints({2, 4, 6, 6}));
  EXPECT_EQ(problem->w, Ints({3, 4, 5, 4}));
  EXPECT_EQ(problem->y, Ints({2, 3, 6, 5}));
  EXPECT_EQ(problem->padding, Ints({2, 1}));
  EXPECT_FALSE(last.operand(DnnRole::kImages).lies_alike);  // it is padded
  EXPECT_TRUE(last.operand(DnnRole::kResults).lies_alike);
  EXPECT_FALSE(first.operand(DnnRole::kResults).lies_alike);
}

TEST(DnnShapes, BeyondWhatCudnnCountsAreNone) {
  PatchGrid grid;
  grid.from = {1 << 16, 1 << 8, 1 << 7, 1, false};  // 2³¹ elements
  grid.depth = 1;
  grid.rows = AxisOf(1 << 8, 1, 2, 1, 0, 0);
  grid.columns = AxisOf(1 << 7, 1, 2, 1, 0, 0);
  grid.to = grid.from.Resized(1, grid.rows.output, grid.columns.output, 1);
  EXPECT_FALSE(DnnShapes(grid, true).ProblemOf(DnnPass::kForward, DType::kFloat).has_value());
  grid.from.images = grid.to.images = (1 << 16) - 1;
  EXPECT_TRUE(DnnShapes(grid, true).ProblemOf(DnnPass::kForward, DType::kFloat).has_value());
  grid.rows.before = std::numeric_limits<int32_t>::max();
  grid.rows.output = 1;
  EXPECT_FALSE(DnnShapes(grid, true).ProblemOf(DnnPass::kForward, DType::kFloat).has_value());
}

}  // namespace
}  // namespace plumb::fast::emulated_gpu
