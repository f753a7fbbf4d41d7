#include <gtest/gtest.h>

#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

AttrMap Attrs(const char* padding, int64_t size, int64_t stride) {
  return {{"ksize", Ints{1, size, size, 1}}, {"strides", Ints{1, stride, stride, 1}}, {"padding", padding}};
}

Tensor Square() { return MakeTensor<float>({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}); }

TEST(MaxPool, TakesTheLargestOfEachWindow) {
  EXPECT_EQ(Values<float>(RunKernel1("MaxPool", {Square()}, Attrs("VALID", 2, 1))), Floats({5, 6, 8, 9}));
  EXPECT_EQ(Values<float>(RunKernel1("MaxPool", {Square()}, Attrs("SAME", 2, 2))), Floats({5, 6, 8, 9}));
  const Tensor ints = MakeTensor<int32_t>({1, 1, 2, 2}, {1, -4, 3, -5});
  const AttrMap row = {{"ksize", Ints{1, 1, 2, 1}}, {"strides", Ints{1, 1, 1, 1}}, {"padding", "VALID"}};
  EXPECT_EQ(Values<int32_t>(RunKernel1("MaxPool", {ints}, row)), (std::vector<int32_t>{3, -4}));
}

TEST(MaxPool, NanIsLargerThanNothing) {  // rule N12
  const Tensor x = MakeTensor<float>({1, 2, 2, 2}, {kNan, kNan, 1, kNan, -2, kNan, -3, kNan});
  const auto y = Values<float>(RunKernel1("MaxPool", {x}, Attrs("VALID", 2, 2)));
  EXPECT_EQ(y, Floats({1, std::numeric_limits<float>::lowest()}));
}

TEST(MaxPool, NanIsLargerThanNothingInEveryChannelOfMany) {
  for (const int64_t channels : {3, 16, 19, 40}) {
    Tensor x(DType::kFloat, {1, 2, 2, channels});
    for (int64_t i = 0; i < x.elements(); ++i) {
      x.mutable_data<float>()[static_cast<size_t>(i)] = i / channels == 1 ? -1 : kNan;
    }
    const Tensor y = RunKernel1("MaxPool", {x}, Attrs("VALID", 2, 2));
    EXPECT_EQ(Values<float>(y), Floats(static_cast<size_t>(channels), -1)) << channels;
  }
}

TEST(MaxPool, KnowsNchwAndHalf) {
  AttrMap attrs = {
      {"ksize", Ints{1, 1, 2, 2}}, {"strides", Ints{1, 1, 2, 2}}, {"padding", "VALID"}, {"data_format", "NCHW"}};
  const Tensor x = MakeTensor<float>({1, 2, 2, 2}, {1, 2, 3, 4, 8, 7, 6, 5});
  EXPECT_EQ(Values<float>(RunKernel1("MaxPool", {x}, attrs)), Floats({4, 8}));
  const Tensor half = MakeTensor<Half>({1, 1, 2, 1}, {Half(1.5f), Half(-2.0f)});
  const AttrMap row = {{"ksize", Ints{1, 1, 2, 1}}, {"strides", Ints{1, 1, 2, 1}}, {"padding", "VALID"}};
  EXPECT_EQ(static_cast<float>(Values<Half>(RunKernel1("MaxPool", {half}, row))[0]), 1.5f);
}

TEST(MaxPool, OverChannelsWindowsMustTileThem) {
  const Tensor x = MakeTensor<float>({1, 1, 1, 4}, {1, 2, 4, 3});
  const auto attrs = [](int64_t plane, int64_t size, int64_t stride) {
    return AttrMap{{"ksize", Ints{1, plane, plane, size}}, {"strides", Ints{1, 1, 1, stride}}, {"padding", "SAME"}};
  };
  EXPECT_EQ(Values<float>(RunKernel1("MaxPool", {x}, attrs(1, 2, 2))), Floats({2, 4}));
  EXPECT_EQ(CodeOfKernel("MaxPool", {x}, attrs(2, 2, 2)), Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("MaxPool", {x}, attrs(1, 2, 1)), Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("MaxPool", {x}, attrs(1, 3, 3)), Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("AvgPool", {x}, attrs(1, 2, 2)), Code::kUnimplemented);
}

TEST(MaxPool, PaddingIsSmallerThanTheWindow) {
  AttrMap attrs = Attrs("EXPLICIT", 2, 1);
  attrs["explicit_paddings"] = Ints{0, 0, 1, 1, 1, 1, 0, 0};
  EXPECT_EQ(RunKernel1("MaxPool", {Square()}, attrs).shape(), Shape({1, 4, 4, 1}));
  attrs["explicit_paddings"] = Ints{0, 0, 1, 2, 1, 1, 0, 0};
  EXPECT_EQ(CodeOfKernel("MaxPool", {Square()}, attrs), Code::kInvalidArgument);
}

TEST(MaxPoolGrad, DoesWithoutPaddingsThatAreNotExplicit) {
  const Tensor x = Square(), y = RunKernel1("MaxPool", {x}, Attrs("VALID", 2, 2));
  AttrMap attrs = Attrs("VALID", 2, 2);
  const std::vector<float> plain = Values<float>(RunKernel1("MaxPoolGrad", {x, y, y}, attrs));
  attrs["explicit_paddings"] = Ints{1, -2};
  EXPECT_EQ(Values<float>(RunKernel1("MaxPoolGrad", {x, y, y}, attrs)), plain);
  EXPECT_EQ(CodeOfKernel("MaxPool", {x}, attrs), Code::kInvalidArgument);
}

TEST(MaxPoolGrad, GoesToTheFirstOfTheLargest) {
  const Tensor x = MakeTensor<float>({1, 2, 2, 1}, {1, 5, 5, 2}), y = MakeTensor<float>({1, 1, 1, 1}, {5});
  const Tensor dy = MakeTensor<float>({1, 1, 1, 1}, {3});
  EXPECT_EQ(Values<float>(RunKernel1("MaxPoolGrad", {x, y, dy}, Attrs("VALID", 2, 2))), Floats({0, 3, 0, 0}));
  const Tensor overlapping = MakeTensor<float>({1, 2, 2, 1}, {1, 2, 3, 4});
  const Tensor max = RunKernel1("MaxPool", {Square()}, Attrs("VALID", 2, 1));
  EXPECT_EQ(Values<float>(RunKernel1("MaxPoolGrad", {Square(), max, overlapping}, Attrs("VALID", 2, 1))),
            Floats({0, 0, 0, 0, 1, 2, 0, 3, 4}));
}

TEST(MaxPoolGradGrad, TakesWhatStandsAtTheFirstOfTheLargest) {
  const Tensor x = MakeTensor<float>({1, 2, 4, 1}, {1, 5, 5, 2, 3, 1, 1, kNan});
  const Tensor dy = MakeTensor<float>({1, 2, 4, 1}, {10, 11, 12, 13, 14, 15, 16, 17});
  const auto taken = [&](float left, float right) {
    const Tensor y = MakeTensor<float>({1, 1, 2, 1}, {left, right});
    return Values<float>(RunKernel1("MaxPoolGradGrad", {x, y, dy}, Attrs("VALID", 2, 2)));
  };
  EXPECT_EQ(taken(5, 5), Floats({11, 12}));
  EXPECT_EQ(taken(3, 1), Floats({14, 16}));
  EXPECT_EQ(taken(1, 4), Floats({10, 0})) << "the first 1, and no 4";
  EXPECT_EQ(taken(kNan, kNan), Floats({0, 0}));
  const Tensor y = MakeTensor<float>({1, 1, 2, 1}, {5, 5});
  EXPECT_EQ(CodeOfKernel("MaxPoolGradGrad", {x, x, dy}, Attrs("VALID", 2, 2)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MaxPoolGradGrad", {x, y, y}, Attrs("VALID", 2, 2)), Code::kInvalidArgument);
}

TEST(MaxPoolV2, TakesItsSizesAsInputs) {
  const Tensor size = MakeVector<int32_t>({1, 2, 2, 1}), stride = MakeVector<int32_t>({1, 1, 1, 1});
  const AttrMap attrs = {{"padding", "VALID"}};
  const Tensor y = RunKernel1("MaxPoolV2", {Square(), size, stride}, attrs);
  EXPECT_EQ(Values<float>(y), Floats({5, 6, 8, 9}));
  const Tensor dy = MakeTensor<float>({1, 2, 2, 1}, {1, 2, 3, 4});
  EXPECT_EQ(Values<float>(RunKernel1("MaxPoolGradV2", {Square(), y, dy, size, stride}, attrs)),
            Floats({0, 0, 0, 0, 1, 2, 0, 3, 4}));
  EXPECT_EQ(Values<float>(RunKernel1("MaxPoolGradGradV2", {Square(), y, Square(), size, stride}, attrs)),
            Floats({5, 6, 8, 9}));
  EXPECT_EQ(CodeOfKernel("MaxPoolV2", {Square(), MakeVector<int32_t>({1, 2}), stride}, attrs), Code::kInvalidArgument);
  const Tensor over_batch = MakeVector<int32_t>({2, 1, 1, 1}), vector = MakeVector<float>({1, 2});
  for (const Tensor& x : {Square(), vector}) {
    EXPECT_EQ(CodeOfKernel("MaxPoolV2", {x, over_batch, stride}, attrs), Code::kUnimplemented) << x.shape().ToString();
  }
  EXPECT_EQ(CodeOfKernel("MaxPoolV2", {vector, size, stride}, attrs), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MaxPoolGradV2", {vector, y, dy, over_batch, stride}, attrs), Code::kInvalidArgument);
}

// As TensorFlow answers; where they are attributes, MaxPool alone refuses them.
TEST(MaxPoolV2, WindowsOfNoSizeHoldNothing) {
  const AttrMap valid = {{"padding", "VALID"}}, same = {{"padding", "SAME"}};
  const Tensor stride = MakeVector<int32_t>({1, 2, 1, 1}), less = MakeVector<int32_t>({1, -2, 2, 1});
  const Tensor pooled = RunKernel1("MaxPoolV2", {Square(), less, stride}, valid);
  EXPECT_EQ(pooled.shape(), Shape({1, 3, 2, 1}));
  EXPECT_EQ(Values<float>(pooled), Floats(6, std::numeric_limits<float>::lowest()));
  const Tensor y = MakeTensor<float>({1, 2, 3, 1}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(Values<float>(RunKernel1("MaxPoolGradV2", {Square(), y, y, less, stride}, same)), Floats(9, 0));
  EXPECT_EQ(Values<float>(RunKernel1("MaxPoolGradGradV2", {Square(), y, Square(), less, stride}, same)), Floats(6, 0));
  EXPECT_EQ(CodeOfKernel("MaxPoolGradV2", {Square(), y, y, less, stride}, valid), Code::kInvalidArgument);
  const AttrMap attrs = {{"ksize", Ints{1, 0, 2, 1}}, {"strides", Ints{1, 2, 1, 1}}, {"padding", "SAME"}};
  EXPECT_EQ(Values<float>(RunKernel1("MaxPoolGrad", {Square(), y, y}, attrs)), Floats(9, 0));
  EXPECT_EQ(CodeOfKernel("MaxPool", {Square()}, attrs), Code::kInvalidArgument);
  const Tensor table = MakeTensor<int32_t>({2, 2}, {1, 2, 2, 1});
  EXPECT_EQ(RunKernel1("MaxPoolV2", {Square(), table, stride}, valid).shape(), Shape({1, 1, 2, 1}))
      << "sizes in whatever shape";
}

TEST(MaxPoolGrad, GoesToTheFirstWhereNoneIsLarger) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const Tensor one = MakeTensor<float>({1, 1, 1, 1}, {7});
  const auto gradient = [&](float a, float b) {
    const Tensor x = MakeTensor<float>({1, 1, 2, 1}, {a, b});
    const AttrMap row = {{"ksize", Ints{1, 1, 2, 1}}, {"strides", Ints{1, 1, 2, 1}}, {"padding", "VALID"}};
    return Values<float>(RunKernel1("MaxPoolGrad", {x, one, one}, row));
  };
  EXPECT_EQ(gradient(-kInf, -kInf), Floats({7, 0}));
  EXPECT_EQ(gradient(kNan, 3), Floats({7, 0})) << "nothing is larger than NaN";
  EXPECT_EQ(gradient(3, kNan), Floats({7, 0}));
  EXPECT_EQ(gradient(-kInf, 3), Floats({0, 7}));
  const Tensor zeros = MakeTensor<uint8_t>({1, 1, 2, 1}, {0, 0}), seven = MakeTensor<uint8_t>({1, 1, 1, 1}, {7});
  const AttrMap row = {{"ksize", Ints{1, 1, 2, 1}}, {"strides", Ints{1, 1, 2, 1}}, {"padding", "VALID"}};
  EXPECT_EQ(Values<uint8_t>(RunKernel1("MaxPoolGrad", {zeros, seven, seven}, row)), (std::vector<uint8_t>{7, 0}));
}

// T8: (n − e + s) / s, rounded towards zero.
TEST(Pooling, AWindowThatLacksLessThanAStrideFitsNowhere) {
  for (const auto* op : {"MaxPool", "AvgPool"}) {
    EXPECT_EQ(RunKernel1(op, {Square()}, Attrs("VALID", 4, 1)).shape(), Shape({1, 0, 0, 1})) << op;
    EXPECT_EQ(RunKernel1(op, {Square()}, Attrs("VALID", 4, 2)).shape(), Shape({1, 0, 0, 1})) << op;
    EXPECT_EQ(RunKernel1(op, {Square()}, Attrs("VALID", 3, 2)).shape(), Shape({1, 1, 1, 1})) << op;
  }
  const Tensor none = Zeros(DType::kFloat, {1, 0, 0, 1});
  EXPECT_EQ(Values<float>(RunKernel1("MaxPoolGrad", {Square(), none, none}, Attrs("VALID", 4, 1))), Floats(9, 0));
}

TEST(Pooling, RefusesWhatDoesNotFit) {
  EXPECT_EQ(CodeOfKernel("MaxPool", {Square()}, Attrs("VALID", 5, 1)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("AvgPool", {Square()}, Attrs("VALID", 2, 0)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("AvgPool", {Square()}, Attrs("VALID", -1, 1)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MaxPool", {Zeros(DType::kFloat, {3, 3})}, Attrs("VALID", 1, 1)), Code::kInvalidArgument);
  const AttrMap batch = {{"ksize", Ints{1, 1, 1, 1}}, {"strides", Ints{2, 1, 1, 1}}, {"padding", "SAME"}};
  EXPECT_EQ(CodeOfKernel("AvgPool", {Square()}, batch), Code::kUnimplemented);
  const Tensor wrong = Zeros(DType::kFloat, {1, 2, 3, 1}), right = Zeros(DType::kFloat, {1, 2, 2, 1});
  EXPECT_EQ(CodeOfKernel("MaxPoolGrad", {Square(), wrong, right}, Attrs("VALID", 2, 1)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MaxPoolGrad", {Square(), right, wrong}, Attrs("VALID", 2, 1)), Code::kInvalidArgument);
  const auto grad = [&](const Tensor& shape) {
    return CodeOfKernel("AvgPoolGrad", {shape, right}, Attrs("VALID", 2, 1));
  };
  EXPECT_EQ(grad(MakeVector<int32_t>({1, 3, 3})), Code::kInvalidArgument);
  EXPECT_EQ(grad(MakeVector<int32_t>({1, -3, 3, 1})), Code::kInvalidArgument);
  EXPECT_EQ(grad(MakeVector<int32_t>({1, 4, 3, 1})), Code::kInvalidArgument);
}

TEST(Pooling, DoesNotDependOnTheNumberOfThreads) {
  Tensor x(DType::kFloat, {9, 17, 17, 21});
  for (int64_t i = 0; i < x.elements(); ++i) x.mutable_data<float>()[i] = static_cast<float>(i * 7919 % 1009) / 13;
  const Tensor shape = MakeVector<int32_t>({9, 17, 17, 21});
  const AttrMap attrs = Attrs("SAME", 3, 2);
  const Tensor max = RunKernel1("MaxPool", {x}, attrs);
  const auto expect_same = [&](const char* op, const std::vector<Tensor>& inputs) {
    EXPECT_TRUE(RunKernel1(op, inputs, attrs, 1).BitwiseEquals(RunKernel1(op, inputs, attrs, 3))) << op;
  };
  expect_same("MaxPool", {x});
  expect_same("AvgPool", {x});
  expect_same("MaxPoolGrad", {x, max, max});
  expect_same("AvgPoolGrad", {shape, max});
}

}  // namespace
}  // namespace plumb::fast::cpu
