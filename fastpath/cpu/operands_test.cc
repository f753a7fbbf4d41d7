// Which shapes and values of axes, sizes and indices ops take.
#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

Tensor Matrix() { return Vector({1, 5, 3, 4, 2, 6}).Reshaped(Shape({2, 3})); }
Tensor NoRows() { return Tensor(DType::kFloat, Shape({3, 0})); }
using I = std::vector<int32_t>;

TEST(Operands, ReductionAxesMayHaveAnyShape) {
  EXPECT_EQ(Ints(RunKernel1("Sum", {Matrix(), Vector({0, 1}).Reshaped(Shape({1, 2}))})), I{21});
}

TEST(Operands, SomeScalarsMustBeScalars) {
  const AttrMap plain = {{"exclusive", false}, {"reverse", false}};
  EXPECT_EQ(CodeOfKernel("Cumsum", {Matrix(), Vector({0})}, plain), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("GatherV2", {Matrix(), Vector({0}), Vector({0})}), Code::kInvalidArgument);
}

TEST(Operands, SomeMayBeVectorsOfOneElement) {
  EXPECT_EQ(Ints(RunKernel1("Range", {Vector({1}), MakeScalar(4), Vector({2})})), (I{1, 3}));
  EXPECT_EQ(Ints(RunKernel1("Fill", {Vector({2}), Vector({7})})), (I{7, 7}));
}

TEST(Operands, AxesOfAPermutationAreNotCountedFromTheEnd) {
  EXPECT_EQ(CodeOfKernel("Transpose", {Matrix(), Vector({-1, 0})}), Code::kInvalidArgument);
}

TEST(Operands, ASinglePartHasTheSizeOfAll) {
  const AttrMap one = {{"num_split", int64_t{1}}};
  EXPECT_EQ(Ints(RunKernel1("SplitV", {Matrix(), Vector({3}), MakeScalar(1)}, one)), (I{1, 5, 3, 4, 2, 6}));
  EXPECT_EQ(CodeOfKernel("SplitV", {Matrix(), Vector({-1}), MakeScalar(1)}, one), Code::kInvalidArgument);
}

TEST(Operands, WhereNeedsDimensions) {
  EXPECT_EQ(CodeOfKernel("Where", {MakeScalar(true)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Where", {Vector({1}).Reshaped(Shape({1, 1, 1, 1, 1, 1, 1, 1, 1}))}), Code::kInvalidArgument);
}

// What would not move anything is not looked at.
TEST(Operands, AreNotLookedAtWhereThereIsNothingToDo) {
  EXPECT_EQ(Ints(RunKernel1("ReverseV2", {MakeScalar(3), Vector({7})})), I{3});
  EXPECT_EQ(RunKernel1("ReverseV2", {NoRows(), Vector({9, 9})}).shape(), Shape({3, 0}));
  EXPECT_EQ(RunKernel1("GatherV2", {NoRows(), Vector({-2, 5}), MakeScalar(0)}).shape(), Shape({2, 0}));
  EXPECT_EQ(RunKernel1("UnsortedSegmentSum", {NoRows(), Vector({0, 1, 5}), MakeScalar(2)}).shape(), Shape({2, 0}));
}

}  // namespace
}  // namespace plumb::fast::cpu
