#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;
using Ints64 = std::vector<int64_t>;

AttrMap PoolAttrs(std::string_view padding, Ints64 ksize, Ints64 strides) {
  return {{"padding", std::string(padding)}, {"ksize", ksize}, {"strides", strides}};
}

const Value kImage = MakeTensor<float>({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9});

TEST(Pooling, TakesTheLargestOrTheMeanOfWhatIsInside) {
  const AttrMap attrs = PoolAttrs("SAME", {1, 2, 2, 1}, {1, 2, 2, 1});
  EXPECT_THAT(Floats(KernelCall{"MaxPool", {kImage}, attrs}()), ElementsAre(5, 6, 8, 9));
  EXPECT_THAT(Floats(KernelCall{"AvgPool", {kImage}, attrs}()), ElementsAre(3, 4.5, 7.5, 9));
}

TEST(Pooling, GradientsGoWhereTheElementsCameFrom) {
  const AttrMap attrs = PoolAttrs("VALID", {1, 2, 2, 1}, {1, 1, 1, 1});
  const Value flat = MakeTensor<float>({1, 2, 3, 1}, {7, 7, 7, 7, 7, 7}), dy = MakeTensor<float>({1, 1, 2, 1}, {1, 2});
  EXPECT_THAT(Floats(KernelCall{"MaxPoolGrad", {flat, dy, dy}, attrs}()), ElementsAre(1, 2, 0, 0, 0, 0))
      << "of equals the first";
  const Value nan = MakeTensor<float>({1, 2, 3, 1}, {NAN, 7, 7, 7, -INFINITY, 7});
  EXPECT_THAT(Floats(KernelCall{"MaxPoolGrad", {nan, dy, dy}, attrs}()), ElementsAre(1, 2, 0, 0, 0, 0))
      << "nothing is larger than NaN";
  const KernelCall average{"AvgPoolGrad", {Ints({1, 2, 3, 1}), dy}, attrs, {DType::kFloat}};
  EXPECT_THAT(Floats(average()), ElementsAre(0.25, 0.75, 0.5, 0.25, 0.75, 0.5));
}

TEST(Pooling, SecondGradientsComeFromWhereTheElementsCameFrom) {
  const AttrMap attrs = PoolAttrs("VALID", {1, 2, 2, 1}, {1, 2, 2, 1});
  const Value x = MakeTensor<float>({1, 2, 4, 1}, {1, 5, 5, 2, 3, 1, 1, 1});
  const Value dy = MakeTensor<float>({1, 2, 4, 1}, {10, 11, 12, 13, 14, 15, 16, 17});
  const auto taken = [&](float left, float right) {
    return Floats(KernelCall{"MaxPoolGradGrad", {x, MakeTensor<float>({1, 1, 2, 1}, {left, right}), dy}, attrs}());
  };
  EXPECT_THAT(taken(5, 5), ElementsAre(11, 12));
  EXPECT_THAT(taken(3, 1), ElementsAre(14, 16));
  EXPECT_THAT(taken(1, 4), ElementsAre(10, 0)) << "the first 1, and no 4";
  EXPECT_EQ((KernelCall{"MaxPoolGradGrad", {x, x, dy}, attrs}.Fails()), Code::kInvalidArgument);
}

TEST(Pooling, ReachesOverTheBatchOrTwoKindsOfAxesNever) {
  EXPECT_EQ((KernelCall{"MaxPool", {kImage}, PoolAttrs("SAME", {2, 1, 1, 1}, {1, 1, 1, 1})}.Fails()),
            Code::kUnimplemented);
  EXPECT_EQ((KernelCall{"MaxPool", {kImage}, PoolAttrs("SAME", {1, 2, 2, 2}, {1, 1, 1, 2})}.Fails()),
            Code::kUnimplemented);
  EXPECT_EQ((KernelCall{"AvgPool", {kImage}, PoolAttrs("VALID", {1, 5, 1, 1}, {1, 1, 1, 1})}.Fails()),
            Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"AvgPool", {kImage}, PoolAttrs("SAME", {1, 0, 1, 1}, {1, 1, 1, 1})}.Fails()),
            Code::kInvalidArgument);
}

// T8.
TEST(Pooling, AWindowThatLacksLessThanAStrideFitsNowhere) {
  const AttrMap attrs = PoolAttrs("VALID", {1, 4, 1, 1}, {1, 1, 1, 1});
  EXPECT_EQ((KernelCall{"MaxPool", {kImage}, attrs}().tensor.shape()), Shape({1, 0, 3, 1}));
  EXPECT_EQ((KernelCall{"AvgPool", {kImage}, attrs}().tensor.shape()), Shape({1, 0, 3, 1}));
}

TEST(Pooling, WindowsOverChannelsTileThem) {
  const Value x = MakeTensor<float>({1, 1, 1, 4}, {1, 3, 2, 0});
  EXPECT_THAT(Floats(KernelCall{"MaxPool", {x}, PoolAttrs("VALID", {1, 1, 1, 2}, {1, 1, 1, 2})}()), ElementsAre(3, 2));
  EXPECT_EQ((KernelCall{"MaxPool", {kImage}, PoolAttrs("VALID", {1, 1, 1, 2}, {1, 1, 1, 2})}.Fails()),
            Code::kUnimplemented)
      << "one channel";
}

TEST(Pooling, BoundsCoverEveryElementOfTheWindow) {
  const Value x = WithBound(MakeTensor<float>({1, 1, 2, 1}, {1, 2}), {3, 0.5});
  EXPECT_GE(Bounds(KernelCall{"MaxPool", {x}, PoolAttrs("VALID", {1, 1, 2, 1}, {1, 1, 1, 1})}())[0], 2);
}

}  // namespace
}  // namespace plumb::reference
