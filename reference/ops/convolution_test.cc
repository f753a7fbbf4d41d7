#include <gmock/gmock.h>

#include "reference/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;
using Ints64 = std::vector<int64_t>;

AttrMap ConvAttrs(std::string_view padding, Ints64 strides = {1, 1, 1, 1}, Ints64 dilations = {1, 1, 1, 1}) {
  return {{"padding", std::string(padding)}, {"strides", strides}, {"dilations", dilations}};
}
AttrMap PoolAttrs(std::string_view padding, Ints64 ksize, Ints64 strides) {
  return {{"padding", std::string(padding)}, {"ksize", ksize}, {"strides", strides}};
}

const Value kImage = MakeTensor<float>({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
const Value kFilter = MakeTensor<float>({2, 2, 1, 1}, {1, 0, 0, -1});

TEST(Convolution, SlidesTheFilterOverTheImage) {
  EXPECT_THAT(Floats(KernelCall{"Conv2D", {kImage, kFilter}, ConvAttrs("VALID")}()), ElementsAre(-4, -4, -4, -4));
  EXPECT_THAT(Floats(KernelCall{"Conv2D", {kImage, kFilter}, ConvAttrs("SAME", {1, 2, 2, 1})}()),
              ElementsAre(-4, 3, 7, 9));
  EXPECT_THAT(Floats(KernelCall{"Conv2D", {kImage, kFilter}, ConvAttrs("VALID", {1, 1, 1, 1}, {1, 2, 2, 1})}()),
              ElementsAre(1 - 9));
}

TEST(Convolution, ChannelsFirstIsTheSameConvolution) {
  AttrMap attrs = ConvAttrs("VALID");
  attrs["data_format"] = "NCHW";
  const Value y = KernelCall{"Conv2D", {Value(kImage.tensor.Reshaped({1, 1, 3, 3})), kFilter}, attrs}();
  EXPECT_EQ(y.tensor.shape(), Shape({1, 1, 2, 2}));
  EXPECT_THAT(Floats(y), ElementsAre(-4, -4, -4, -4));
}

// <dy, conv(x, w)> is linear in x and in w: its gradients, taken against x and w, give it back.
TEST(Convolution, GradientsAreAdjoint) {
  const AttrMap attrs = ConvAttrs("SAME", {1, 2, 1, 1});
  const Value y = KernelCall{"Conv2D", {kImage, kFilter}, attrs}();
  const Value dy = MakeTensor<float>({1, 2, 3, 1}, {1, -2, 3, 5, 7, -1});
  const auto dot = [](const Value& a, const Value& b) {
    double sum = 0;
    for (size_t i = 0; i < Floats(a).size(); ++i) sum += double{Floats(a)[i]} * Floats(b)[i];
    return sum;
  };
  const Value dx = KernelCall{"Conv2DBackpropInput", {Ints({1, 3, 3, 1}), kFilter, dy}, attrs, {DType::kFloat}}();
  const Value dw = KernelCall{"Conv2DBackpropFilter", {kImage, Ints({2, 2, 1, 1}), dy}, attrs}();
  EXPECT_EQ(dot(dx, kImage), dot(dy, y));
  EXPECT_EQ(dot(dw, kFilter), dot(dy, y));
}

TEST(Convolution, NonsenseIsRefused) {
  EXPECT_EQ((KernelCall{"Conv2D", {kImage, kFilter}, ConvAttrs("VALID", {2, 1, 1, 1})}.Fails()), Code::kUnimplemented);
  EXPECT_EQ((KernelCall{"Conv2D", {kImage, kFilter}, ConvAttrs("VALID", {1, 0, 1, 1})}.Fails()),
            Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"Conv2D", {kImage, kFilter}, ConvAttrs("VALID", {1, 1, 1, 1}, {1, INT64_MAX, 1, 1})}.Fails()),
            Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"Conv2D", {kFilter, kImage}, ConvAttrs("VALID")}.Fails()), Code::kInvalidArgument);
  AttrMap huge = ConvAttrs("EXPLICIT");
  huge["explicit_paddings"] = Ints64{0, 0, INT32_MAX, INT32_MAX, 0, 0, 0, 0};
  EXPECT_EQ((KernelCall{"Conv2D", {kImage, kFilter}, huge}.Fails()), Code::kResourceExhausted);
}

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
  EXPECT_EQ((KernelCall{"AvgPool", {kImage}, PoolAttrs("VALID", {1, 4, 1, 1}, {1, 1, 1, 1})}.Fails()),
            Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"AvgPool", {kImage}, PoolAttrs("SAME", {1, 0, 1, 1}, {1, 1, 1, 1})}.Fails()),
            Code::kInvalidArgument);
}

TEST(Pooling, BoundsCoverEveryElementOfTheWindow) {
  const Value x = WithBound(MakeTensor<float>({1, 1, 2, 1}, {1, 2}), {3, 0.5});
  EXPECT_GE(Bounds(KernelCall{"MaxPool", {x}, PoolAttrs("VALID", {1, 1, 2, 1}, {1, 1, 1, 1})}())[0], 2);
}

}  // namespace
}  // namespace plumb::reference
