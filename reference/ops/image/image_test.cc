#include <gmock/gmock.h>

#include <cmath>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

TEST(Colours, ChannelsAreAPreconditionAndThatThereAreAnyAnArgument) {
  for (const auto* op : {"RGBToHSV", "HSVToRGB"}) {
    EXPECT_EQ((KernelCall{op, {Vector({1, 2, 3})}}.Fails()), Code::kOk);
    EXPECT_EQ((KernelCall{op, {Vector({1, 2})}}.Fails()), Code::kFailedPrecondition) << "RGBToHSVOp";
    EXPECT_EQ((KernelCall{op, {MakeScalar<float>(1)}}.Fails()), Code::kInvalidArgument);
  }
}

// 2 is the mean, of which infinitely many times nothing is no number.
TEST(AdjustContrast, AnInfiniteFactorMovesAwayFromTheMean) {
  const Value row = MakeTensor<float>({1, 3, 1}, {1, 3, 2});
  EXPECT_THAT(Floats(KernelCall{"AdjustContrastv2", {row, MakeScalar<float>(INFINITY)}}()),
              ElementsAre(-INFINITY, INFINITY, testing::IsNan()));
}

// The largest channel is infinite and stays so; how far the middle one is between is no number there.
TEST(AdjustHue, ChannelsThatAreNoFiniteNumbersChangePlaces) {
  const Value pixels = MakeTensor<float>({1, 2, 3}, {1, INFINITY, 2, NAN, 1, 2});
  EXPECT_THAT(Floats(KernelCall{"AdjustHue", {pixels, MakeScalar<float>(0)}}()),
              ElementsAre(1, INFINITY, testing::IsNan(), testing::IsNan(), 1, testing::IsNan()));
  const Value plain = MakeTensor<float>({1, 1, 3}, {3, 1, 2});
  EXPECT_THAT(Floats(KernelCall{"AdjustHue", {plain, MakeScalar<float>(NAN)}}()), ElementsAre(3, 1, testing::IsNan()));
}

TEST(Resizing, GradientsAreAsManyAsTheirsAndAsLargeAsTheOriginals) {
  const Value grads = MakeTensor<float>({2, 1, 2, 1}, {1, 2, 3, 5}), original = Zeros(DType::kFloat, {7, 1, 1, 4});
  for (const auto* op : {"ResizeBilinearGrad", "ResizeBicubicGrad"}) {
    const Value dx = KernelCall{op, {grads, original}}();
    EXPECT_EQ(dx.tensor.shape(), Shape({2, 1, 1, 1})) << op;
    EXPECT_THAT(Floats(dx), ElementsAre(3, 8)) << op;
  }
}

TEST(Resizing, OnlyTheGradientOfTheNearestPixelTakesCentresAndCorners) {
  const AttrMap both = {{"align_corners", true}, {"half_pixel_centers", true}};
  const Value grads = MakeTensor<float>({1, 1, 3, 1}, {1, 2, 4});
  // (i + 0.5) · (2 - 1) / (3 - 1), to the nearest whole number, halves up: 0, 1 and 1.
  EXPECT_THAT(Floats(KernelCall{"ResizeNearestNeighborGrad", {grads, Ints({1, 2})}, both}()), ElementsAre(1, 6));
  EXPECT_EQ((KernelCall{"ResizeNearestNeighbor", {grads, Ints({1, 2})}, both}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"ResizeBilinearGrad", {grads, grads}, both}.Fails()), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference
