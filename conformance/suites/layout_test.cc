#include "conformance/suites/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/suites/attributes.h"
#include "spec/ops/catalogue.h"

namespace plumb::conformance {
namespace {

using ::testing::ElementsAre;
using Sizes = std::vector<int64_t>;

SampledCase Turned(const char* op, SampledCase sampled, const std::string& format) {
  return WithAttributes(GetOp(op), std::move(sampled), {{"data_format", format}});
}
// Element n, h, w, c of an image is 1000 n + 100 h + 10 w + c.
Tensor Numbered(const Shape& shape) {
  Tensor image(DType::kInt32, shape);
  int32_t* next = image.mutable_data<int32_t>().data();
  for (int n = 0; n < shape.dim(0); ++n) {
    for (int h = 0; h < shape.dim(1); ++h) {
      for (int w = 0; w < shape.dim(2); ++w) {
        for (int c = 0; c < shape.dim(3); ++c) *next++ = 1000 * n + 100 * h + 10 * w + c;
      }
    }
  }
  return image;
}

TEST(Layout, TurnsImagesSizesAndListsAndNoFilters) {
  const OpDef& op = GetOp("Conv2DBackpropInput");
  SampledCase sampled;
  sampled.attrs = {{"strides", std::vector<int64_t>{1, 2, 3, 1}},
                   {"explicit_paddings", std::vector<int64_t>{0, 0, 1, 2, 3, 4, 0, 0}},
                   {"data_format", "NHWC"}};
  sampled.inputs = {MakeVector<int32_t>({1, 6, 5, 2}), MakeTensor<float>({1, 1, 2, 1}, {1, 2}),
                    MakeTensor<float>({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6})};
  const SampledCase turned = WithAttributes(op, sampled, {{"data_format", "NCHW"}});
  EXPECT_EQ(GetAttr<std::string>(turned.attrs, "data_format"), "NCHW");
  EXPECT_THAT(GetAttr<std::vector<int64_t>>(turned.attrs, "strides"), ElementsAre(1, 1, 2, 3));
  EXPECT_THAT(GetAttr<std::vector<int64_t>>(turned.attrs, "explicit_paddings"), ElementsAre(0, 0, 0, 0, 1, 2, 3, 4));
  EXPECT_THAT(turned.inputs[0].data<int32_t>(), ElementsAre(1, 2, 6, 5));
  EXPECT_EQ(turned.inputs[1].shape(), Shape({1, 1, 2, 1}));
  EXPECT_EQ(turned.inputs[2].shape(), Shape({1, 3, 1, 2}));
  EXPECT_THAT(turned.inputs[2].data<float>(), ElementsAre(1, 4, 2, 5, 3, 6));
  const SampledCase back = WithAttributes(op, turned, {{"data_format", "NHWC"}});
  EXPECT_EQ(back.attrs, sampled.attrs);
  EXPECT_THAT(back.inputs[2].data<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Layout, TurnsEveryImageOfABatch) {
  SampledCase sampled;
  sampled.attrs = {{"data_format", "NHWC"}, {"T", DType::kInt32}};
  sampled.inputs = {Numbered({3, 2, 4, 5})};
  const SampledCase turned = Turned("MaxPool", sampled, "NCHW");
  ASSERT_EQ(turned.inputs[0].shape(), Shape({3, 5, 2, 4}));
  const int32_t* next = turned.inputs[0].data<int32_t>().data();
  for (int n = 0; n < 3; ++n) {
    for (int c = 0; c < 5; ++c) {
      for (int h = 0; h < 2; ++h) {
        for (int w = 0; w < 4; ++w) EXPECT_EQ(*next++, 1000 * n + 100 * h + 10 * w + c);
      }
    }
  }
  EXPECT_TRUE(Turned("MaxPool", turned, "NHWC").inputs[0].BitwiseEquals(sampled.inputs[0]));
}

// Sizes are four whole numbers in a row; a vector for each channel, or of another length, is none.
TEST(Layout, TurnsSizesAndNoOtherVectors) {
  SampledCase sampled;
  sampled.attrs = {{"data_format", "NHWC"}};
  sampled.inputs = {MakeVector<int32_t>({1, 2, 3, 4}), MakeTensor<float>({1, 1, 1, 1}, {1}),
                    MakeTensor<float>({1, 1, 1, 1}, {1})};
  EXPECT_THAT(Turned("Conv2DBackpropInput", sampled, "NCHW").inputs[0].data<int32_t>(), ElementsAre(1, 4, 2, 3));
  for (const Tensor& other :
       {MakeVector<float>({1, 2, 3, 4}), MakeVector<int32_t>({1, 2, 3}), MakeVector<int32_t>({1, 2, 3, 4, 5}),
        MakeTensor<int32_t>({4, 1}, {1, 2, 3, 4}), MakeVector<int64_t>({1, 2, 3, 4})}) {
    sampled.inputs[0] = other;
    EXPECT_TRUE(Turned("Conv2DBackpropInput", sampled, "NCHW").inputs[0].BitwiseEquals(other)) << other.ToString();
  }
}

TEST(Layout, TurnsListsWithAnEntryOrTwoForEachDimension) {
  SampledCase sampled;
  sampled.attrs = {{"data_format", "NHWC"},
                   {"strides", Sizes{1, 2, 3, 4}},
                   {"paddings", Sizes{1, 2, 3, 4, 5, 6, 7, 8}},
                   {"other", Sizes{1, 2, 3}},
                   {"number", 4}};
  const AttrMap turned = Turned("NoOp", sampled, "NCHW").attrs;
  EXPECT_EQ(GetAttr<Sizes>(turned, "strides"), (Sizes{1, 4, 2, 3}));
  EXPECT_EQ(GetAttr<Sizes>(turned, "paddings"), (Sizes{1, 2, 7, 8, 3, 4, 5, 6}));
  EXPECT_EQ(GetAttr<Sizes>(turned, "other"), (Sizes{1, 2, 3}));
  EXPECT_EQ(GetAttr<std::string>(turned, "data_format"), "NCHW");
}

// Only the name of the layout changes then.
TEST(Layout, LeavesOtherLayoutsAsTheyAre) {
  SampledCase sampled;
  for (const auto& [from, to] : {std::pair("NHWC", "NCHW_VECT_C"), {"NHWC", "NHWC"}, {"NCHW", "NCHW"}, {"", "NCHW"}}) {
    sampled.attrs = {{"strides", Sizes{1, 2, 3, 4}}};
    if (*from != 0) sampled.attrs["data_format"] = from;
    sampled.inputs = {Numbered({1, 2, 3, 4})};
    const SampledCase same = Turned("MaxPool", sampled, to);
    EXPECT_EQ(GetAttr<Sizes>(same.attrs, "strides"), (Sizes{1, 2, 3, 4})) << from << " to " << to;
    EXPECT_EQ(GetAttr<std::string>(same.attrs, "data_format"), to);
    EXPECT_TRUE(same.inputs[0].BitwiseEquals(sampled.inputs[0]));
  }
}

}  // namespace
}  // namespace plumb::conformance
