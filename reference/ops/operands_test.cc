// Which shapes and values of axes, sizes and indices ops take.
#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

const Value kMatrix = MakeTensor<float>({2, 3}, {1, 5, 3, 4, 2, 6});
const Value kNoRows = MakeTensor<float>({3, 0}, {});

TEST(Operands, ReductionAxesMayHaveAnyShape) {
  const Tensor axes = MakeTensor<int32_t>({1, 2}, {0, 1});
  EXPECT_THAT(Floats(KernelCall{"Sum", {kMatrix, axes}, {{"keep_dims", false}}, {}, Summation()}()), ElementsAre(21));
}

TEST(Operands, SomeScalarsMustBeScalars) {
  const AttrMap plain = {{"exclusive", false}, {"reverse", false}};
  EXPECT_EQ((KernelCall{"Cumsum", {kMatrix, Ints({0})}, plain}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"GatherV2", {kMatrix, Ints({0}), Ints({0})}}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"Split", {Ints({0}), kMatrix}, {}, {DType::kFloat}}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"ConcatOffset", {Ints({0}), Ints({2})}, {}, {DType::kInt32}}.Fails()), Code::kInvalidArgument);
  const std::vector<DType> both = {DType::kInt32, DType::kInt32};
  EXPECT_EQ((KernelCall{"BroadcastGradientArgs", {Int(2), Ints({2})}, {}, both}.Fails()), Code::kInvalidArgument);
}

TEST(Operands, SomeMayBeVectorsOfOneElement) {
  EXPECT_THAT(Integers(KernelCall{"Range", {Ints({1}), Int(4), Ints({2})}}()), ElementsAre(1, 3));
  EXPECT_THAT(Floats(KernelCall{"Fill", {Ints({2}), Vector({7})}}()), ElementsAre(7, 7));
}

TEST(Operands, AxesOfAPermutationAreNotCountedFromTheEnd) {
  EXPECT_EQ((KernelCall{"Transpose", {kMatrix, Ints({-1, 0})}}.Fails()), Code::kInvalidArgument);
}

TEST(Operands, ASinglePartHasTheSizeOfAll) {
  const auto split = [](Tensor sizes) { return KernelCall{"SplitV", {kMatrix, sizes, Int(1)}, {}, {DType::kFloat}}; };
  EXPECT_THAT(Floats(split(Ints({3}))()), ElementsAre(1, 5, 3, 4, 2, 6));
  EXPECT_EQ(split(Ints({-1})).Fails(), Code::kInvalidArgument);
}

TEST(Operands, WhereNeedsDimensions) {
  EXPECT_EQ((KernelCall{"Where", {MakeScalar(true)}}.Fails()), Code::kInvalidArgument);
  const Value deep = MakeTensor<float>({1, 1, 1, 1, 1, 1, 1, 1, 1}, {1});
  EXPECT_EQ((KernelCall{"Where", {deep}}.Fails()), Code::kInvalidArgument);
}

// What would not move anything is not looked at.
TEST(Operands, AreNotLookedAtWhereThereIsNothingToDo) {
  EXPECT_THAT(Floats(KernelCall{"ReverseV2", {MakeScalar(3.0f), Ints({7})}}()), ElementsAre(3));
  EXPECT_EQ((KernelCall{"ReverseV2", {kNoRows, Ints({9, 9})}}().tensor.shape()), Shape({3, 0}));
  EXPECT_EQ((KernelCall{"GatherV2", {kNoRows, Ints({-2, 5}), Int(0)}}().tensor.shape()), Shape({2, 0}));
  EXPECT_EQ((KernelCall{"UnsortedSegmentSum", {kNoRows, Ints({0, 1, 5}), Int(2)}}().tensor.shape()), Shape({2, 0}));
}

}  // namespace
}  // namespace plumb::reference
