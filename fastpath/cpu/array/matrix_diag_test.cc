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

TEST(MatrixDiag, NamesOfBatchesAreThoseOfTheFirstVersion) {
  const Tensor x = MakeTensor<float>({1, 2, 3}, {0, 1, 2, 3, 4, 5}), diagonal = MakeTensor<float>({1, 2}, {7, 8});
  EXPECT_EQ(Values<float>(RunKernel1("BatchMatrixDiag", {diagonal})), Floats({7, 0, 0, 8}));
  EXPECT_EQ(Values<float>(RunKernel1("BatchMatrixDiagPart", {x})), Floats({0, 4}));
  EXPECT_EQ(Values<float>(RunKernel1("BatchMatrixSetDiag", {x, diagonal})), Floats({7, 1, 2, 3, 8, 5}));
  EXPECT_EQ(CodeOfKernel("BatchMatrixDiagPart", {MakeVector<float>({1})}), Code::kInvalidArgument);
}

// Nothing below the diagonal, one element above it; a negative number keeps a whole triangle.
TEST(MatrixBandPart, ItsOlderNameKeepsTheSameBand) {
  const Tensor x = MakeTensor<float>({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  const auto band = [&](int64_t lower, int64_t upper) {
    return Values<float>(RunKernel1("BatchMatrixBandPart", {x, MakeScalar(lower), MakeScalar(upper)}));
  };
  EXPECT_EQ(band(0, 1), Floats({1, 2, 0, 0, 5, 6}));
  EXPECT_EQ(band(-1, 0), Floats({1, 0, 0, 4, 5, 0}));
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
