#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "spec/core/variant.h"

namespace plumb::fast::cpu {
namespace {

using Int64s = std::vector<int64_t>;

Tensor Csr(const Tensor& at, const Tensor& shape) {
  const Tensor values = RandomFloats({at.dim(0)}, 1);
  return RunKernel1("SparseTensorToCSRSparseMatrix", {at, values, shape});
}

// The second matrix of the batch is empty, and so is the first row of the third one.
TEST(Csr, RowsBeginWhereTheOnesBeforeThemEnd) {
  const Tensor at = MakeTensor<int64_t>({3, 3}, {0, 0, 2, 0, 1, 0, 2, 1, 1}), shape = MakeVector<int64_t>({3, 2, 3});
  const Tensor matrix = Csr(at, shape);
  const EncodedVariant parts = matrix.data<Variant>()[0].payload->Encode();
  EXPECT_EQ(parts.type_name, "tensorflow::CSRSparseMatrix");
  EXPECT_EQ(Values<int32_t>(parts.tensors.at(1)), (std::vector<int32_t>{0, 2, 2, 3}));
  EXPECT_EQ(Values<int32_t>(parts.tensors.at(2)), (std::vector<int32_t>{0, 1, 2, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(Values<int32_t>(parts.tensors.at(3)), (std::vector<int32_t>{2, 0, 1}));
  const auto sparse = RunKernel("CSRSparseMatrixToSparseTensor", {matrix}, {{"type", DType::kFloat}});
  EXPECT_TRUE(sparse.at(0).BitwiseEquals(at));
  EXPECT_TRUE(sparse.at(2).BitwiseEquals(shape));
  EXPECT_EQ(CodeOfKernel("CSRSparseMatrixToSparseTensor", {matrix}, {{"type", DType::kDouble}}),
            Code::kInvalidArgument);
}

TEST(Csr, RefusesPlacesThatTheShapeDoesNotHave) {
  const Tensor one = MakeVector<float>({1});
  const auto code = [&](const Tensor& at, Int64s shape) {
    return CodeOfKernel("SparseTensorToCSRSparseMatrix",
                        {at, one, MakeTensor<int64_t>({std::ssize(shape)}, std::span<const int64_t>(shape))});
  };
  const Tensor pair = MakeTensor<int64_t>({1, 2}, {1, 0}), triple = MakeTensor<int64_t>({1, 3}, {1, 0, 0});
  EXPECT_EQ(code(pair, {2, 1}), Code::kOk);
  EXPECT_EQ(code(pair, {1, 1}), Code::kInvalidArgument);
  EXPECT_EQ(code(pair, {-1, 1}), Code::kInvalidArgument);
  EXPECT_EQ(code(pair, {INT64_MAX, 1}), Code::kInvalidArgument) << "as TensorFlow answers, for it counts row splits";
  EXPECT_EQ(code(pair, {2, 0}), Code::kInvalidArgument) << "a column";
  EXPECT_EQ(code(MakeTensor<int64_t>({1, 2}, {0, -1}), {2, 4}), Code::kInvalidArgument);
  EXPECT_EQ(code(triple, {1, 1, 1}), Code::kInvalidArgument);
  EXPECT_EQ(code(pair, {1, 1, 1}), Code::kInvalidArgument);
  EXPECT_EQ(code(MakeTensor<int64_t>({1, 1}, {0}), {1}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
