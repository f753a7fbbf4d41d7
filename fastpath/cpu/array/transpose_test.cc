#include <gtest/gtest.h>

#include <algorithm>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

using I = std::vector<int32_t>;

TEST(InvertPermutation, RefusesWhatIsNone) {
  EXPECT_EQ(Ints(RunKernel1("InvertPermutation", {Vector({2, 0, 1})})), (I{1, 2, 0}));
  EXPECT_EQ(CodeOfKernel("InvertPermutation", {Vector({0, 0})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("InvertPermutation", {Vector({0, 2})}), Code::kInvalidArgument);
}

TEST(Transpose, MovesEveryElementForEveryOrderOfAxes) {
  const Shape shape({3, 5, 33, 2});
  const Tensor x = Iota(shape);
  std::vector<int32_t> perm = {0, 1, 2, 3};
  do {
    const Tensor y = RunKernel1("Transpose", {x, MakeTensor<int32_t>({4}, perm)}, {}, 2);
    const int64_t stride[] = {330, 66, 2, 1};
    size_t at = 0;
    for (int64_t i = 0; i < shape[perm[0]]; ++i)
      for (int64_t j = 0; j < shape[perm[1]]; ++j)
        for (int64_t k = 0; k < shape[perm[2]]; ++k)
          for (int64_t l = 0; l < shape[perm[3]]; ++l)
            ASSERT_EQ(y.data<int32_t>()[at++],
                      i * stride[perm[0]] + j * stride[perm[1]] + k * stride[perm[2]] + l * stride[perm[3]]);
  } while (std::next_permutation(perm.begin(), perm.end()));
  EXPECT_EQ(CodeOfKernel("Transpose", {x, Vector({0, 1, 2, 2})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Transpose", {x, Vector({0, 1, 2})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Transpose", {x, Vector({0, 1, 2, 4})}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
