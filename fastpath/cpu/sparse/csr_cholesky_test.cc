#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

const AttrMap kDoubles = {{"type", DType::kDouble}};

Tensor Csr(const std::vector<int64_t>& at, const std::vector<double>& values, const std::vector<int64_t>& shape) {
  const auto count = std::ssize(values), rank = std::ssize(shape);
  return RunKernel1("SparseTensorToCSRSparseMatrix",
                    {MakeTensor<int64_t>({count, rank}, at), MakeTensor<double>({count}, values),
                     MakeTensor<int64_t>({rank}, shape)});
}

// {4 2 2; 2 2 .; 2 . 5} by the rows 1, 2, 0: the triangle of {2 . 2; . 5 2; 2 2 4} is {√2; . √5; √2 2/√5 √1.2}. In the
// given order elimination would fill in a third element below the diagonal.
TEST(CsrCholesky, PutsTheFactorsRowsBackInOrder) {
  const Tensor matrix = Csr({0, 0, 1, 0, 1, 1, 2, 0, 2, 2}, {4, 2, 2, 2, 5}, {3, 3});
  const Tensor factor = RunKernel1("SparseMatrixSparseCholesky", {matrix, MakeVector<int32_t>({1, 2, 0})}, kDoubles);
  const auto parts = RunKernel("CSRSparseMatrixToSparseTensor", {factor}, kDoubles);
  EXPECT_EQ(Values<int64_t>(parts[0]), (std::vector<int64_t>{0, 0, 0, 1, 0, 2, 1, 1, 2, 2}));
  const std::vector<double> expected = {std::sqrt(1.2), std::sqrt(2.0), 2 / std::sqrt(5.0), std::sqrt(2.0),
                                        std::sqrt(5.0)};
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_DOUBLE_EQ(Values<double>(parts[1]).at(i), expected[i]) << i;
}

TEST(CsrCholesky, RefusesWhatHasNoFactor) {
  const auto code = [](const Tensor& matrix, const Tensor& permutation) {
    return CodeOfKernel("SparseMatrixSparseCholesky", {matrix, permutation}, kDoubles);
  };
  const Tensor matrix = Csr({0, 0, 1, 1}, {1, 1}, {2, 2}), order = MakeVector<int32_t>({0, 1});
  EXPECT_EQ(code(matrix, order), Code::kOk);
  EXPECT_EQ(code(Csr({0, 0}, {1}, {2, 2}), order), Code::kInvalidArgument) << "singular";
  EXPECT_EQ(code(Csr({0, 0, 1, 1}, {1, -1}, {2, 2}), order), Code::kInvalidArgument) << "indefinite";
  EXPECT_EQ(code(matrix, MakeVector<int32_t>({0, 0})), Code::kInvalidArgument);
  EXPECT_EQ(code(matrix, MakeVector<int32_t>({0, 2})), Code::kInvalidArgument);
  EXPECT_EQ(code(matrix, MakeTensor<int32_t>({1, 0}, std::vector<int32_t>())), Code::kInvalidArgument);
  EXPECT_EQ(code(Csr({0, 0}, {1}, {1, 2}), MakeVector<int32_t>({0})), Code::kInvalidArgument) << "not square";
}

}  // namespace
}  // namespace plumb::fast::cpu
