#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

Tensor Csr(const std::vector<int64_t>& at, const std::vector<double>& values, const std::vector<int64_t>& shape) {
  const auto count = std::ssize(values), rank = std::ssize(shape);
  return RunKernel1("SparseTensorToCSRSparseMatrix",
                    {MakeTensor<int64_t>({count, rank}, at), MakeTensor<double>({count}, values),
                     MakeTensor<int64_t>({rank}, shape)});
}

// A tree of n nodes, each hanging on the one that `above` names: its Laplacian and the unit matrix.
Tensor Tree(int64_t n, int64_t (*above)(int64_t)) {
  std::vector<int64_t> at;
  std::vector<double> values;
  for (int64_t i = 0; i < n; ++i) {
    if (i > 0) {
      at.insert(at.end(), {i, above(i)});
      values.push_back(-1);
    }
    at.insert(at.end(), {i, i});
    values.push_back(static_cast<double>(n));
  }
  return Csr(at, values, {n, n});
}

std::vector<int32_t> OrderOf(const Tensor& matrix) {
  return Values<int32_t>(RunKernel1("SparseMatrixOrderingAMD", {matrix}));
}

size_t ElementsOfFactor(const Tensor& matrix, const std::vector<int32_t>& order) {
  const AttrMap type = {{"type", DType::kDouble}};
  const Tensor factor =
      RunKernel1("SparseMatrixSparseCholesky", {matrix, MakeTensor<int32_t>({std::ssize(order)}, order)}, type);
  return Values<double>(RunKernel("CSRSparseMatrixToSparseTensor", {factor}, type)[1]).size();
}

// Leaves have the fewest neighbours: when they go first, nothing is filled in. The star's hub makes neighbours of all
// when it goes first. Degrees are approximate, and so is what is saved of the binary tree.
TEST(CsrOrdering, LeavesLittleToFillInOfATree) {
  constexpr size_t kNodes = 40;
  std::vector<int32_t> as_given(kNodes);
  std::iota(as_given.begin(), as_given.end(), 0);
  const Tensor star = Tree(kNodes, [](int64_t) { return int64_t{0}; });
  const Tensor path = Tree(kNodes, [](int64_t i) { return i - 1; });
  const Tensor binary = Tree(kNodes, [](int64_t i) { return (i - 1) / 2; });
  for (const Tensor& tree : {star, path, binary}) {
    const std::vector<int32_t> order = OrderOf(tree);
    EXPECT_TRUE(std::is_permutation(order.begin(), order.end(), as_given.begin(), as_given.end()));
  }
  EXPECT_EQ(ElementsOfFactor(star, as_given), kNodes * (kNodes + 1) / 2);
  EXPECT_EQ(ElementsOfFactor(star, OrderOf(star)), 2 * kNodes - 1);
  EXPECT_EQ(ElementsOfFactor(path, OrderOf(path)), 2 * kNodes - 1);
  EXPECT_LT(ElementsOfFactor(binary, OrderOf(binary)), ElementsOfFactor(binary, as_given));
}

// The first matrix has elements above its diagonal alone; the second is a star around row 0, which comes last.
TEST(CsrOrdering, ReadsTheLowerTriangleOfEachMatrix) {
  const Tensor batch = Csr({0, 0, 4, 0, 1, 3, 1, 1, 0, 1, 2, 0, 1, 3, 0, 1, 4, 0}, {1, 1, 1, 1, 1, 1}, {2, 5, 5});
  const Tensor orders = RunKernel1("SparseMatrixOrderingAMD", {batch});
  EXPECT_EQ(orders.shape(), Shape({2, 5}));
  const std::vector<int32_t> values = Values<int32_t>(orders);
  const int32_t each[] = {0, 1, 2, 3, 4};
  for (const auto* row : {values.data(), values.data() + 5}) EXPECT_TRUE(std::is_permutation(row, row + 5, each));
  EXPECT_EQ(values[9], 0);
  EXPECT_EQ(OrderOf(Csr({}, {}, {0, 0})), std::vector<int32_t>());
  EXPECT_EQ(OrderOf(Csr({}, {}, {1, 1})), std::vector<int32_t>{0});
}

TEST(CsrOrdering, RefusesWhatHasNoOrder) {
  const auto code = [](const Tensor& matrix) { return CodeOfKernel("SparseMatrixOrderingAMD", {matrix}, {}); };
  EXPECT_EQ(code(Csr({0, 0}, {1}, {2, 2})), Code::kOk);
  EXPECT_EQ(code(Csr({0, 0}, {1}, {2, 3})), Code::kInvalidArgument) << "not square";
  EXPECT_THROW(Csr({0, 5}, {1}, {2, 2}), Error) << "a column outside";
}

}  // namespace
}  // namespace plumb::fast::cpu
