#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using F = std::vector<float>;
using L = std::vector<int64_t>;

Tensor Longs(std::initializer_list<int64_t> values) { return MakeVector<int64_t>(values); }
const Tensor kAt = MakeTensor<int64_t>({3, 2}, {0, 0, 0, 2, 1, 1});
const Tensor kValues = MakeVector<float>({1, 5, 3});
const Tensor kShape = MakeVector<int64_t>({2, 3});

TEST(Sparse, TheLargestOfEachRowIsSparseToo) {
  const auto largest = RunKernel("SparseReduceMaxSparse", {kAt, kValues, kShape, Vector({1})});
  EXPECT_EQ(Values<int64_t>(largest[0]), (L{0, 1}));
  EXPECT_EQ(Values<float>(largest[1]), (F{5, 3}));
  EXPECT_EQ(Values<int64_t>(largest[2]), (L{2}));
  const auto kept = RunKernel("SparseReduceMaxSparse", {kAt, kValues, kShape, Vector({0})}, {{"keep_dims", true}});
  EXPECT_EQ(Values<int64_t>(kept[0]), (L{0, 0, 0, 1, 0, 2}));
  EXPECT_EQ(Values<int64_t>(kept[2]), (L{1, 3}));
}

// As TensorFlow 2.12.1 answers.
TEST(Sparse, SumsAreSparseToo) {
  const auto sums = RunKernel("SparseReduceSumSparse", {kAt, kValues, kShape, Vector({1})});
  EXPECT_EQ(Values<int64_t>(sums[0]), (L{0, 1}));
  EXPECT_EQ(Values<float>(sums[1]), (F{6, 3}));
  EXPECT_EQ(Values<int64_t>(sums[2]), (L{2}));
  const auto all = RunKernel("SparseReduceSumSparse", {kAt, kValues, kShape, Vector({0, 1})});
  EXPECT_EQ(all[0].shape(), Shape({1, 0}));
  EXPECT_EQ(Values<float>(all[1]), (F{9}));
}

TEST(Sparse, BecomesDense) {
  const Tensor dense = RunKernel1("SparseToDense", {kAt, kShape, kValues, MakeScalar<float>(9)});
  EXPECT_EQ(Values<float>(dense), (F{1, 9, 5, 9, 3, 9}));
  const Tensor twice = MakeTensor<int64_t>({2, 2}, {0, 0, 0, 0});
  const Tensor two = MakeVector<float>({1, 2});
  EXPECT_EQ(CodeOfKernel("SparseToDense", {twice, kShape, two, MakeScalar<float>(0)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("SparseToDense", {kAt, Longs({1, 3}), kValues, MakeScalar<float>(0)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("SparseToDense", {kAt, Longs({-2, 3}), kValues, MakeScalar<float>(0)}),
            Code::kInvalidArgument);
}

TEST(Sparse, TheAxisOfAConcatenationIsAskedForBeforeItsParts) {
  const Tensor vast = Longs({INT64_MAX, INT64_MAX});
  const auto code = [&](int64_t axis) {
    return CodeOfKernel("SparseConcat", {kAt, kAt, kValues, kValues, vast, vast}, {{"N", 2}, {"concat_dim", axis}});
  };
  EXPECT_EQ(code(0), Code::kInternal) << "the parts cannot be counted";
  EXPECT_EQ(code(int64_t{1} << 31), Code::kInvalidArgument);
}

TEST(Sparse, TakesAnotherShape) {
  const auto flat = RunKernel("SparseReshape", {kAt, kShape, Longs({-1})});
  EXPECT_EQ(Values<int64_t>(flat[0]), (L{0, 2, 4}));
  EXPECT_EQ(Values<int64_t>(flat[1]), (L{6}));
  for (const Tensor& wrong : {Longs({-1, -1}), Longs({4, -1}), Longs({7}), Longs({-6}), Longs({0, -1})}) {
    EXPECT_EQ(CodeOfKernel("SparseReshape", {kAt, kShape, wrong}), Code::kInvalidArgument);
  }
}

TEST(Sparse, RowsWithoutElementsAreFilled) {
  const auto filled = RunKernel("SparseFillEmptyRows", {kAt, kValues, Longs({4, 3}), MakeScalar<float>(7)});
  EXPECT_EQ(Values<int64_t>(filled[0]), (L{0, 0, 0, 2, 1, 1, 2, 0, 3, 0}));
  EXPECT_EQ(Values<float>(filled[1]), (F{1, 5, 3, 7, 7}));
  EXPECT_EQ(Values<int64_t>(filled[3]), (L{0, 1, 2}));
}

TEST(Sparse, IsMultipliedWithAMatrix) {
  const Tensor b = MakeTensor<float>({3, 1}, {1, 2, 3});
  EXPECT_EQ(Values<float>(RunKernel1("SparseTensorDenseMatMul", {kAt, kValues, kShape, b})), (F{16, 6}));
  const Tensor outside = MakeTensor<int64_t>({3, 2}, {0, 0, 0, 3, 1, 1});
  EXPECT_EQ(CodeOfKernel("SparseTensorDenseMatMul", {outside, kValues, kShape, b}), Code::kInvalidArgument);
}

TEST(Sparse, CountsAsManyColumnsAsAreAskedFor) {  // GetOutputSize
  const Tensor numbers = MakeVector<int32_t>({4, 1, 4}), no_weights = MakeVector<int32_t>({});
  const auto counted = [&](int64_t least, int64_t most) {
    const AttrMap attrs = {{"minlength", least}, {"maxlength", most}, {"binary_output", false}};
    const auto outputs = RunKernel("DenseCountSparseOutput", {numbers, no_weights}, attrs);
    return std::pair(Values<int32_t>(outputs[1]), Values<int64_t>(outputs[2]));
  };
  using Counts = std::pair<std::vector<int32_t>, L>;
  EXPECT_EQ(counted(-1, -1), (Counts{{1, 2}, {5}}));
  EXPECT_EQ(counted(7, -1), (Counts{{1, 2}, {7}}));
  EXPECT_EQ(counted(7, 3), (Counts{{1}, {3}}));
  EXPECT_EQ(counted(7, 0), (Counts{{}, {0}})) << "no number is below a maximum of zero";
  EXPECT_EQ(CodeOfKernel("DenseCountSparseOutput", {MakeVector<int32_t>({1, -1}), no_weights},
                         {{"minlength", -1}, {"maxlength", -1}, {"binary_output", false}}),
            Code::kInvalidArgument);
}

TEST(Sparse, ArithmeticRefusesZeroDivisorsAndPlacesOutsideOfTheShape) {
  const Tensor dense = MakeTensor<float>({2, 3}, {1, 0, 1, 1, 2, 1});
  const Tensor quotient = RunKernel1("SparseDenseCwiseDiv", {kAt, kValues, kShape, dense});
  EXPECT_EQ(Values<float>(quotient), (F{1, 5, 1.5F})) << "a zero where no element is does no harm";
  const Tensor zero = MakeTensor<float>({1, 3}, {1, 0, 1});
  EXPECT_EQ(CodeOfKernel("SparseDenseCwiseDiv", {kAt, kValues, kShape, zero}), Code::kInvalidArgument);
  const Tensor small = Longs({2, 2});
  EXPECT_EQ(CodeOfKernel("SparseSparseMaximum", {kAt, kValues, kShape, kAt, kValues, kShape}), Code::kOk);
  EXPECT_EQ(CodeOfKernel("SparseSparseMaximum", {kAt, kValues, small, kAt, kValues, small}), Code::kInvalidArgument);
}

TEST(Sparse, AnElementThatIsThereTwiceTakesTheGradientOnce) {
  const Tensor first = MakeTensor<int64_t>({2, 1}, {0, 0}), second = MakeTensor<int64_t>({1, 1}, {1});
  const Tensor sum = MakeTensor<int64_t>({2, 1}, {0, 1});
  const auto gradients = RunKernel("SparseAddGrad", {MakeVector<float>({5, 7}), first, second, sum});
  EXPECT_EQ(Values<float>(gradients[0]), (F{5, 0}));
  EXPECT_EQ(Values<float>(gradients[1]), (F{7}));
}

}  // namespace
}  // namespace plumb::fast::cpu
