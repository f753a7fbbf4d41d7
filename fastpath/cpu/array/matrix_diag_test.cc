#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;

TEST(MatrixDiag, OldVersionsKnowTheMainDiagonal) {
  const Tensor x = MakeTensor<float>({2, 3}, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(Values<float>(RunKernel1("MatrixDiagPart", {x})), Floats({0, 4}));
  EXPECT_EQ(Values<float>(RunKernel1("MatrixSetDiag", {x, MakeVector<float>({7, 8})})), Floats({7, 1, 2, 3, 8, 5}));
  EXPECT_EQ(CodeOfKernel("MatrixDiagPart", {MakeVector<float>({1})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MatrixSetDiag", {x, MakeVector<float>({7, 8, 9})}), Code::kInvalidArgument);
}

TEST(MatrixDiag, TheSecondVersionReadsShortDiagonalsFromTheLeft) {
  const Tensor x = MakeTensor<float>({2, 3}, {0, 1, 2, 3, 4, 5}), both = MakeTensor<float>({2, 2}, {7, 8, 9, 0});
  EXPECT_EQ(Values<float>(RunKernel1("MatrixSetDiagV2", {x, both, MakeVector<int32_t>({-1, 0})})),
            Floats({7, 1, 2, 9, 8, 5}));
  EXPECT_EQ(CodeOfKernel("MatrixSetDiagV2", {x, MakeVector<float>({7, 8}), MakeScalar<int32_t>(3)}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
