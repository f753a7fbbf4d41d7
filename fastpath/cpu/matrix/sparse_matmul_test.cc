#include <gmock/gmock.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsNan;

std::vector<float> Product(const Tensor& a, const Tensor& b, AttrMap attrs) {
  return Values<float>(RunKernel1("SparseMatMul", {a, b}, attrs));
}

// The zeros are in the first column of the one, the infinities in the first row of the other: as TensorFlow answers.
TEST(SparseMatMul, ZerosOfASparseSideMeetNothing) {
  const Tensor zeros = MakeTensor<float>({2, 2}, {0, 1, -0.0f, 2});
  const Tensor other = MakeTensor<float>({2, 2}, {NAN, INFINITY, 1, 2});
  EXPECT_THAT(Product(zeros, other, {}), Each(IsNan()));
  EXPECT_THAT(Product(zeros, other, {{"a_is_sparse", true}, {"b_is_sparse", true}}), ElementsAre(1, 2, 2, 4));
  EXPECT_THAT(Product(other, zeros, {{"b_is_sparse", true}}), ElementsAre(0, IsNan(), 0, 5));
  EXPECT_THAT(Product(other, zeros, {{"a_is_sparse", true}, {"b_is_sparse", true}}),
              ElementsAre(IsNan(), IsNan(), 0, 5));
}

TEST(SparseMatMul, TransposesAreGoneThroughAsTheyLie) {
  const Tensor zeros = MakeTensor<float>({2, 2}, {0, -0.0f, 1, 2});
  const Tensor other = MakeTensor<float>({2, 2}, {NAN, 1, INFINITY, 2});
  EXPECT_THAT(Product(zeros, other, {{"a_is_sparse", true}, {"transpose_a", true}, {"transpose_b", true}}),
              ElementsAre(1, 2, 2, 4));
  EXPECT_THAT(Product(other, zeros, {{"b_is_sparse", true}, {"transpose_a", true}}),
              ElementsAre(INFINITY, INFINITY, 2, 4))
      << "infinity of the second row meets 1 and 2";
}

}  // namespace
}  // namespace plumb::fast::cpu
