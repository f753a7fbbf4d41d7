#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

TEST(Math, SelectTakesAScalarAVectorOfRowsOrAFullCondition) {
  const Tensor t = MakeTensor<int32_t>({2, 2}, {1, 2, 3, 4}), e = MakeTensor<int32_t>({2, 2}, {5, 6, 7, 8});
  using I = std::vector<int32_t>;
  EXPECT_EQ(Values<int32_t>(RunKernel1("Select", {MakeScalar(false), t, e})), (I{5, 6, 7, 8}));
  EXPECT_EQ(Values<int32_t>(RunKernel1("Select", {MakeVector<bool>({true, false}), t, e})), (I{1, 2, 7, 8}));
  EXPECT_EQ(Values<int32_t>(RunKernel1("Select", {MakeTensor<bool>({2, 2}, {true, false, false, true}), t, e})),
            (I{1, 6, 7, 4}));
  EXPECT_EQ(CodeOfKernel("Select", {MakeVector<bool>({true}), t, e}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
