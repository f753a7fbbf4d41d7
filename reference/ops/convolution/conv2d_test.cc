#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;
using Ints64 = std::vector<int64_t>;

AttrMap ConvAttrs(std::string_view padding, Ints64 strides = {1, 1, 1, 1}, Ints64 dilations = {1, 1, 1, 1}) {
  return {{"padding", std::string(padding)}, {"strides", strides}, {"dilations", dilations}};
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

// T8: (n − e + s) / s, rounded towards zero.
TEST(Convolution, AWindowThatLacksLessThanAStrideFitsNowhere) {
  const auto shape = [](int64_t rows, int64_t stride) {
    const Value filter = MakeTensor<float>({rows, 1, 1, 1}, std::vector<float>(rows, 1));
    return KernelCall{"Conv2D", {kImage, filter}, ConvAttrs("VALID", {1, stride, stride, 1})}().tensor.shape();
  };
  EXPECT_EQ(shape(3, 1), Shape({1, 1, 3, 1}));
  EXPECT_EQ(shape(4, 1), Shape({1, 0, 3, 1}));
  EXPECT_EQ(shape(6, 2), Shape({1, 0, 2, 1}));
  EXPECT_THROW(shape(5, 1), Error);
  EXPECT_THROW(shape(7, 2), Error);
  const Value dy = MakeTensor<float>({1, 0, 3, 1}, std::vector<float>());
  const Value filter = MakeTensor<float>({4, 1, 1, 1}, {1, 1, 1, 1});
  const KernelCall dx{"Conv2DBackpropInput", {Ints({1, 3, 3, 1}), filter, dy}, ConvAttrs("VALID"), {DType::kFloat}};
  EXPECT_THAT(Floats(dx()), testing::Each(0));
}

// Two pixels under five weights: y₀ = 100x₀ + 1000x₁, y₁ = 10x₀ + 100x₁; the other weights meet padding only.
TEST(Convolution, AFilterMayBeLargerThanTheImage) {
  const Value x = MakeTensor<float>({1, 1, 2, 1}, {1, 2}), dy = MakeTensor<float>({1, 1, 2, 1}, {3, 5});
  const Value w = MakeTensor<float>({1, 5, 1, 1}, {1, 10, 100, 1000, 10000});
  AttrMap padded = ConvAttrs("EXPLICIT");
  padded["explicit_paddings"] = Ints64{0, 0, 0, 0, 2, 2, 0, 0};
  for (const AttrMap& attrs : {ConvAttrs("SAME"), padded}) {
    EXPECT_THAT(Floats(KernelCall{"Conv2D", {x, w}, attrs}()), ElementsAre(2100, 210));
    EXPECT_THAT(Floats(KernelCall{"Conv2DBackpropInput", {Ints({1, 1, 2, 1}), w, dy}, attrs, {DType::kFloat}}()),
                ElementsAre(350, 3500));
    EXPECT_THAT(Floats(KernelCall{"Conv2DBackpropFilter", {x, Ints({1, 5, 1, 1}), dy}, attrs}()),
                ElementsAre(0, 5, 13, 6, 0));
  }
}

TEST(Convolution, GroupsSeeTheirOwnChannels) {
  const Value x = MakeTensor<float>({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Value w = MakeTensor<float>({1, 1, 2, 4}, {1, 10, 1, 10, 100, 1000, 100, 1000});
  EXPECT_THAT(Floats(KernelCall{"Conv2D", {x, w}, ConvAttrs("VALID")}()),
              ElementsAre(201, 2010, 403, 4030, 605, 6050, 807, 8070));
  const Value odd = MakeTensor<float>({1, 1, 2, 3}, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ((KernelCall{"Conv2D", {x, odd}, ConvAttrs("VALID")}.Fails()), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"Conv2DBackpropFilter", {x, Ints({1, 1, 2, 4}), x}, ConvAttrs("VALID")}.Fails()),
            Code::kInvalidArgument);
}

TEST(Convolution, AnEmptyFilterMattersWhereThereIsSomethingToCompute) {
  const auto call = [](const Shape& filter) {
    return KernelCall{"Conv2D", {kImage, MakeTensor<float>(filter, std::vector<float>())}, ConvAttrs("VALID")};
  };
  EXPECT_EQ(call({2, 2, 1, 0})().tensor.shape(), Shape({1, 2, 2, 0}));
  EXPECT_EQ(call({0, 2, 1, 1}).Fails(), Code::kInvalidArgument);
}

TEST(Convolution, NonsenseIsRefused) {
  EXPECT_EQ((KernelCall{"Conv2D", {kImage, kFilter}, ConvAttrs("VALID", {2, 1, 1, 1})}.Fails()), Code::kUnimplemented);
  EXPECT_EQ((KernelCall{"Conv2D", {kImage, kFilter}, ConvAttrs("VALID", {1, 0, 1, 1})}.Fails()),
            Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"Conv2D", {kImage, kFilter}, ConvAttrs("VALID", {1, 1, 1, 1}, {1, INT64_MAX, 1, 1})}.Fails()),
            Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"Conv2D", {kFilter, kImage}, ConvAttrs("VALID")}.Fails()), Code::kInvalidArgument);
  AttrMap batch = ConvAttrs("EXPLICIT");
  batch["explicit_paddings"] = Ints64{1, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ((KernelCall{"Conv2D", {kImage, kFilter}, batch}.Fails()), Code::kInvalidArgument);
  AttrMap huge = ConvAttrs("EXPLICIT");
  huge["explicit_paddings"] = Ints64{0, 0, INT32_MAX, INT32_MAX, 0, 0, 0, 0};
  EXPECT_EQ((KernelCall{"Conv2D", {kImage, kFilter}, huge}.Fails()), Code::kResourceExhausted);
}

}  // namespace
}  // namespace plumb::reference
