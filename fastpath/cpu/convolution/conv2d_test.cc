#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"
#include "spec/core/choice_point.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

AttrMap Attrs(const char* padding, int64_t stride = 1, int64_t dilation = 1) {
  return {{"strides", Ints{1, stride, stride, 1}}, {"padding", padding}, {"dilations", Ints{1, dilation, dilation, 1}}};
}

// 3 × 3, one channel: 1 … 9.
Tensor Square() { return MakeTensor<float>({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}); }

Tensor Corner() { return MakeTensor<float>({2, 2, 1, 1}, {1, 0, 0, 10}); }  // x[i, j] + 10·x[i + 1, j + 1]

TEST(Conv2D, SumsWindowsTimesTheFilter) {
  const Tensor valid = RunKernel1("Conv2D", {Square(), Corner()}, Attrs("VALID"));
  EXPECT_EQ(valid.shape(), Shape({1, 2, 2, 1}));
  EXPECT_EQ(Values<float>(valid), Floats({51, 62, 84, 95}));
  const Tensor same = RunKernel1("Conv2D", {Square(), Corner()}, Attrs("SAME"));  // pads below and to the right
  EXPECT_EQ(Values<float>(same), Floats({51, 62, 3, 84, 95, 6, 7, 8, 9}));
  EXPECT_EQ(Values<float>(RunKernel1("Conv2D", {Square(), Corner()}, Attrs("SAME", 2))), Floats({51, 3, 7, 9}));
  EXPECT_EQ(Values<float>(RunKernel1("Conv2D", {Square(), Corner()}, Attrs("VALID", 1, 2))), Floats({91}));
}

TEST(Conv2D, PadsAsTold) {
  AttrMap attrs = Attrs("EXPLICIT", 2);
  attrs["explicit_paddings"] = Ints{0, 0, 1, 0, 2, 1, 0, 0};
  const Tensor y = RunKernel1("Conv2D", {Square(), Corner()}, attrs);
  EXPECT_EQ(y.shape(), Shape({1, 2, 3, 1}));
  EXPECT_EQ(Values<float>(y), Floats({0, 20, 0, 0, 4 + 80, 6}));
}

TEST(Conv2D, MixesChannels) {
  const Tensor x = MakeTensor<double>({1, 1, 1, 2}, {1, 2}), w = MakeTensor<double>({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(Values<double>(RunKernel1("Conv2D", {x, w}, Attrs("VALID"))), (std::vector<double>{9, 12, 15}));
}

TEST(Conv2D, KnowsNchw) {
  AttrMap attrs = {{"strides", Ints{1, 1, 1, 1}}, {"padding", "VALID"}, {"data_format", "NCHW"}};
  const Tensor x = MakeTensor<float>({1, 2, 1, 2}, {1, 2, 3, 4}), w = MakeTensor<float>({1, 1, 2, 1}, {1, 10});
  const Tensor y = RunKernel1("Conv2D", {x, w}, attrs);
  EXPECT_EQ(y.shape(), Shape({1, 1, 1, 2}));
  EXPECT_EQ(Values<float>(y), Floats({31, 42}));
}

TEST(Conv2D, KnowsItsTypes) {
  const Tensor ints = RunKernel1(
      "Conv2D", {MakeTensor<int32_t>({1, 1, 1, 1}, {3}), MakeTensor<int32_t>({1, 1, 1, 1}, {4})}, Attrs("VALID"));
  EXPECT_EQ(Values<int32_t>(ints)[0], 12);
  const Tensor halves = RunKernel1(
      "Conv2D", {MakeTensor<Half>({1, 1, 1, 1}, {Half(3)}), MakeTensor<Half>({1, 1, 1, 1}, {Half(4)})}, Attrs("VALID"));
  EXPECT_EQ(static_cast<float>(Values<Half>(halves)[0]), 12);
}

Tensor Counted(const Shape& shape) {
  Tensor tensor(DType::kFloat, shape);
  float next = 0;
  for (float& number : tensor.mutable_data<float>()) number = next++;
  return tensor;
}

// Of no two equal sizes, in either layout.
TEST(Conv2DBackpropInput, TakesHeightAndWidthForAllSizes) {
  const Tensor filter = Counted({2, 2, 3, 7});
  for (const bool nchw : {false, true}) {
    const AttrMap attrs = {
        {"strides", Ints{1, 1, 1, 1}}, {"padding", "VALID"}, {"data_format", nchw ? "NCHW" : "NHWC"}};
    const Tensor dy = Counted(nchw ? Shape({2, 7, 4, 3}) : Shape({2, 4, 3, 7}));
    const Tensor all = nchw ? MakeVector<int32_t>({2, 3, 5, 4}) : MakeVector<int32_t>({2, 5, 4, 3});
    const Tensor by_all = RunKernel1("Conv2DBackpropInput", {all, filter, dy}, attrs);
    const Tensor by_two = RunKernel1("Conv2DBackpropInput", {MakeVector<int32_t>({5, 4}), filter, dy}, attrs);
    EXPECT_TRUE(by_two.BitwiseEquals(by_all)) << by_two.shape().ToString();
  }
}

TEST(Conv2DBackpropInput, SendsEachGradientThroughTheFilter) {
  const Tensor sizes = MakeVector<int32_t>({1, 3, 3, 1}), dy = MakeTensor<float>({1, 2, 2, 1}, {1, 2, 3, 4});
  const Floats expected = {1, 2, 0, 3, 14, 20, 0, 30, 40};
  EXPECT_EQ(Values<float>(RunKernel1("Conv2DBackpropInput", {sizes, Corner(), dy}, Attrs("VALID"))), expected);
  EXPECT_EQ(
      Values<float>(RunKernel1("Conv2DBackpropInput", {MakeVector<int32_t>({3, 3}), Corner(), dy}, Attrs("VALID"))),
      expected);
}

TEST(Conv2DBackpropFilter, SumsInputTimesGradient) {
  const Tensor sizes = MakeVector<int32_t>({2, 2, 1, 1}), dy = MakeTensor<float>({1, 2, 2, 1}, {1, 2, 3, 4});
  EXPECT_EQ(Values<float>(RunKernel1("Conv2DBackpropFilter", {Square(), sizes, dy}, Attrs("VALID"))),
            Floats({1 + 4 + 12 + 20, 2 + 6 + 15 + 24, 4 + 10 + 21 + 32, 5 + 12 + 24 + 36}));
}

TEST(Conv2D, NothingGivesZeros) {
  AttrMap padded = Attrs("EXPLICIT");
  padded["explicit_paddings"] = Ints{0, 0, 1, 1, 1, 1, 0, 0};
  const Tensor y =
      RunKernel1("Conv2D", {Tensor(DType::kFloat, {1, 0, 2, 1}), MakeTensor<float>({1, 1, 1, 1}, {1})}, padded);
  EXPECT_EQ(Values<float>(y), Floats(8, 0));
  const Tensor dx = RunKernel1(
      "Conv2DBackpropInput",
      {MakeVector<int32_t>({2, 1, 1, 5}), Tensor(DType::kFloat, {0, 1, 5, 0}), Tensor(DType::kFloat, {2, 1, 1, 0})},
      Attrs("SAME"));
  EXPECT_EQ(Values<float>(dx), Floats(10, 0));
  const Tensor dw =
      RunKernel1("Conv2DBackpropFilter",
                 {Square(), MakeVector<int32_t>({2, 2, 1, 0}), Tensor(DType::kFloat, {1, 2, 2, 0})}, Attrs("VALID"));
  EXPECT_EQ(dw.shape(), Shape({2, 2, 1, 0}));
  EXPECT_EQ(RunKernel1("Conv2D", {Tensor(DType::kFloat, {0, 3, 3, 1}), Corner()}, Attrs("SAME")).shape(),
            Shape({0, 3, 3, 1}));
}

TEST(Conv2D, RefusesWhatDoesNotFit) {
  const auto code = [](const Shape& x, const Shape& w, const AttrMap& attrs) {
    return CodeOfKernel("Conv2D", {Zeros(DType::kFloat, x), Zeros(DType::kFloat, w)}, attrs);
  };
  EXPECT_EQ(code({1, 3, 3}, {1, 1, 1, 1}, Attrs("VALID")), Code::kInvalidArgument);
  EXPECT_EQ(code({1, 3, 3, 1}, {1, 1, 1}, Attrs("VALID")), Code::kInvalidArgument);
  EXPECT_EQ(code({1, 3, 3, 1}, {5, 1, 1, 1}, Attrs("VALID")), Code::kInvalidArgument);
  EXPECT_EQ(code({1, 3, 3, 2}, {1, 1, 3, 1}, Attrs("VALID")), Code::kInvalidArgument);
  EXPECT_EQ(code({1, 3, 3, 2}, {1, 1, 1, 3}, Attrs("VALID")), Code::kInvalidArgument) << "3 outputs in 2 groups";
  EXPECT_EQ(code({1, 3, 3, 2}, {0, 1, 2, 2}, Attrs("VALID")), Code::kInvalidArgument);
  EXPECT_EQ(code({1, 3, 3, 1}, {1, 1, 1, 1}, Attrs("VALID", 0)), Code::kInvalidArgument);
  EXPECT_EQ(code({1, 3, 3, 1}, {1, 1, 1, 1}, Attrs("VALID", int64_t{1} << 40)), Code::kInvalidArgument);
  EXPECT_EQ(code({1, 3, 3, 1}, {1, 1, 1, 1}, Attrs("VALID", 1, -1)), Code::kInvalidArgument);
  EXPECT_EQ(code({1, 3, 3, 1}, {1, 1, 1, 1}, {{"strides", Ints{2, 1, 1, 1}}, {"padding", "SAME"}}),
            Code::kUnimplemented);
  EXPECT_EQ(code({1, 3, 3, 1}, {1, 1, 1, 1}, {{"strides", Ints{1, 1}}, {"padding", "SAME"}}), Code::kInvalidArgument);
  AttrMap negative = Attrs("EXPLICIT");
  negative["explicit_paddings"] = Ints{0, 0, -1, 0, 0, 0, 0, 0};
  EXPECT_EQ(code({1, 3, 3, 1}, {1, 1, 1, 1}, negative), Code::kInvalidArgument);
}

// T8: (n − e + s) / s, rounded towards zero.
TEST(Conv2D, AWindowThatLacksLessThanAStrideFitsNowhere) {
  const auto shape = [](int64_t rows, int64_t stride) {
    return RunKernel1("Conv2D", {Zeros(DType::kFloat, {1, 3, 3, 1}), Zeros(DType::kFloat, {rows, 1, 1, 2})},
                      Attrs("VALID", stride))
        .shape();
  };
  EXPECT_EQ(shape(3, 1), Shape({1, 1, 3, 2}));
  EXPECT_EQ(shape(4, 1), Shape({1, 0, 3, 2}));
  EXPECT_EQ(shape(6, 2), Shape({1, 0, 2, 2}));
  const Tensor dx = RunKernel1(
      "Conv2DBackpropInput",
      {MakeVector<int32_t>({1, 3, 3, 1}), Zeros(DType::kFloat, {4, 1, 1, 2}), Zeros(DType::kFloat, {1, 0, 3, 2})},
      Attrs("VALID"));
  EXPECT_EQ(Values<float>(dx), Floats(9, 0));
}

TEST(Conv2D, GroupsSeeTheirOwnChannels) {
  const Tensor x = MakeTensor<float>({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor w = MakeTensor<float>({1, 1, 2, 4}, {1, 10, 1, 10, 100, 1000, 100, 1000});
  const Floats expected = {201, 2010, 403, 4030, 605, 6050, 807, 8070};
  EXPECT_EQ(Values<float>(RunKernel1("Conv2D", {x, w}, Attrs("VALID"))), expected);
  const Tensor none = RunKernel1("Conv2D", {x, Zeros(DType::kFloat, {1, 1, 2, 0})}, Attrs("VALID"));
  EXPECT_EQ(none.shape(), Shape({1, 1, 2, 0}));
  EXPECT_EQ(CodeOfKernel("Conv2DBackpropInput", {MakeVector<int32_t>({1, 1, 2, 4}), w, x}, Attrs("VALID")),
            Code::kInvalidArgument);
}

// Whether oneDNN did what has just run; it has a fast way for all of these sizes.
bool DidTheLibrary(const std::string& what) {
  for (const Choices::Choice& choice : Choices::Taken()) {
    if (choice.name == what + ": plain, or by oneDNN") return choice.large && !choice.small;
  }
  return false;
}

TEST(Conv2D, OrdinaryOnesAreTheLibrarys) {
  constexpr int64_t kBatch = 2, kSide = 32, kChannels = 16;
  const Tensor image = Zeros(DType::kFloat, {kBatch, kSide, kSide, kChannels});
  for (const int64_t window : {1, 3, 5}) {
    const Tensor filter = Zeros(DType::kFloat, {window, window, kChannels, kChannels});
    const Tensor image_sizes = MakeVector<int32_t>({kBatch, kSide, kSide, kChannels});
    const auto side = static_cast<int32_t>(window);
    const Tensor filter_sizes = MakeVector<int32_t>({side, side, kChannels, kChannels});
    for (const char* padding : {"SAME", "VALID"}) {
      for (const int64_t stride : {1, 2}) {
        SCOPED_TRACE(Str(window, " ", padding, " ", stride));
        Choices::Forget();
        const Tensor output = RunKernel1("Conv2D", {image, filter}, Attrs(padding, stride));
        EXPECT_TRUE(DidTheLibrary("convolution"));
        RunKernel1("Conv2DBackpropInput", {image_sizes, filter, output}, Attrs(padding, stride));
        EXPECT_TRUE(DidTheLibrary("convolution's input gradient"));
        RunKernel1("Conv2DBackpropFilter", {image, filter_sizes, output}, Attrs(padding, stride));
        EXPECT_TRUE(DidTheLibrary("convolution's filter gradient"));
      }
    }
  }
}

TEST(Conv2DGradients, RefuseGradientsOfAnotherShape) {
  const Tensor sizes = MakeVector<int32_t>({1, 3, 3, 1}), filter_sizes = MakeVector<int32_t>({2, 2, 1, 1});
  const Tensor dy = Zeros(DType::kFloat, {1, 3, 2, 1});
  EXPECT_EQ(CodeOfKernel("Conv2DBackpropInput", {sizes, Corner(), dy}, Attrs("VALID")), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Conv2DBackpropFilter", {Square(), filter_sizes, dy}, Attrs("VALID")), Code::kInvalidArgument);
  const Tensor negative = MakeVector<int32_t>({1, -3, 3, 1});
  EXPECT_EQ(CodeOfKernel("Conv2DBackpropInput", {negative, Corner(), dy}, Attrs("VALID")), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
