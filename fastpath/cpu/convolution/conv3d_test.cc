#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

AttrMap Attrs(const char* padding, int64_t stride = 1) {
  return {{"padding", padding}, {"strides", Ints{1, stride, stride, stride, 1}}, {"dilations", Ints{1, 1, 1, 1, 1}}};
}
Tensor Cube() { return MakeTensor<float>({1, 2, 2, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8}); }

TEST(Conv3D, SlidesTheFilterOverTheVolume) {
  const Tensor w = MakeTensor<float>({2, 1, 1, 1, 1}, {1, -1});
  EXPECT_EQ(Values<float>(RunKernel1("Conv3D", {Cube(), w}, Attrs("VALID"))), Floats({-4, -4, -4, -4}));
  EXPECT_EQ(Values<float>(RunKernel1("Conv3D", {Cube(), w}, Attrs("SAME"))), Floats({-4, -4, -4, -4, 5, 6, 7, 8}));
  EXPECT_EQ(Values<float>(RunKernel1("Conv3D", {Cube(), w}, Attrs("SAME", 2))), Floats({-4}));
}

TEST(Conv3D, ChannelsFirstIsTheSameConvolution) {
  AttrMap attrs = Attrs("VALID");
  attrs["data_format"] = "NCDHW";
  const Tensor x = MakeTensor<float>({1, 2, 1, 1, 2}, {1, 2, 3, 4}), w = MakeTensor<float>({1, 1, 1, 2, 1}, {1, 10});
  EXPECT_EQ(Values<float>(RunKernel1("Conv3D", {x, w}, attrs)), Floats({31, 42}));
}

TEST(Conv3D, GradientsGoBackTheSameWay) {
  const Tensor w = MakeTensor<float>({2, 1, 1, 1, 1}, {1, -1});
  const Tensor dy = MakeTensor<float>({1, 1, 2, 2, 1}, {1, 2, 3, 4});
  const Tensor input = MakeVector<int32_t>({1, 2, 2, 2, 1}), filter = MakeVector<int32_t>({2, 1, 1, 1, 1});
  EXPECT_EQ(Values<float>(RunKernel1("Conv3DBackpropInputV2", {input, w, dy}, Attrs("VALID"))),
            Floats({1, 2, 3, 4, -1, -2, -3, -4}));
  EXPECT_EQ(Values<float>(RunKernel1("Conv3DBackpropFilterV2", {Cube(), filter, dy}, Attrs("VALID"))),
            Floats({30, 70}));
  const Tensor any = Zeros(DType::kFloat, {2, 1, 1, 1, 1});
  EXPECT_EQ(Values<float>(RunKernel1("Conv3DBackpropInput", {Cube(), w, dy}, Attrs("VALID"))),
            Floats({1, 2, 3, 4, -1, -2, -3, -4}));
  EXPECT_EQ(Values<float>(RunKernel1("Conv3DBackpropFilter", {Cube(), any, dy}, Attrs("VALID"))), Floats({30, 70}));
  EXPECT_EQ(CodeOfKernel("Conv3DBackpropInput", {dy, w, dy}, Attrs("VALID")), Code::kInvalidArgument);
}

TEST(Conv3D, GradientsTakeAnEmptyFilter) {  // as TensorFlow's do
  const Tensor none = Zeros(DType::kFloat, {1, 0, 1, 1, 3}), dy = Zeros(DType::kFloat, {1, 2, 2, 2, 3});
  const Tensor input = MakeVector<int32_t>({1, 2, 2, 2, 1}), filter = MakeVector<int32_t>({1, 0, 1, 1, 3});
  const Tensor dx = RunKernel1("Conv3DBackpropInputV2", {input, none, dy}, Attrs("SAME"));
  EXPECT_TRUE(dx.BitwiseEquals(Zeros(DType::kFloat, {1, 2, 2, 2, 1})));
  EXPECT_EQ(RunKernel1("Conv3DBackpropFilterV2", {Cube(), filter, dy}, Attrs("SAME")).shape(), none.shape());
  const Tensor nowhere = MakeVector<int32_t>({1, 1, 1, 1, 0}), no_dy = Zeros(DType::kFloat, {1, 2, 2, 2, 0});
  EXPECT_EQ(RunKernel1("Conv3DBackpropFilterV2", {Cube(), nowhere, no_dy}, Attrs("SAME")).shape(),
            Shape({1, 1, 1, 1, 0}));
  const auto code = [&](const Tensor& x, std::initializer_list<int32_t> sizes, const Tensor& gradient) {
    return CodeOfKernel("Conv3DBackpropFilterV2", {x, MakeVector<int32_t>(sizes), gradient}, Attrs("SAME"));
  };
  EXPECT_EQ(code(Cube(), {1, 0, 1, 1, 0}, no_dy), Code::kInvalidArgument) << "neither a window nor channels";
  EXPECT_EQ(code(Zeros(DType::kFloat, {0, 2, 2, 2, 1}), {1, 0, 1, 1, 0}, Zeros(DType::kFloat, {0, 2, 2, 2, 0})),
            Code::kOk);
  EXPECT_EQ(code(Zeros(DType::kFloat, {1, 2, 2, 2, 0}), {1, 1, 1, 0, 3}, dy), Code::kInvalidArgument);
  EXPECT_EQ(
      RunKernel1("Conv3DBackpropInput", {Cube(), Zeros(DType::kFloat, {1, 1, 1, 1, 0}), no_dy}, Attrs("SAME")).shape(),
      Cube().shape());
}

// Pieces follow from sizes: a batch of many volumes is cut, and the cuts do not show.
TEST(Conv3D, DoesNotDependOnTheNumberOfThreads) {
  Tensor x(DType::kFloat, {9, 5, 9, 9, 3}), w(DType::kFloat, {3, 3, 3, 3, 4});
  for (int64_t i = 0; i < x.elements(); ++i) x.mutable_data<float>()[i] = static_cast<float>(i * 7919 % 1009) / 13;
  for (int64_t i = 0; i < w.elements(); ++i) w.mutable_data<float>()[i] = static_cast<float>(i * 31 % 101) / 7;
  const Tensor y = RunKernel1("Conv3D", {x, w}, Attrs("SAME"));
  const Tensor input = MakeVector<int32_t>({9, 5, 9, 9, 3}), filter = MakeVector<int32_t>({3, 3, 3, 3, 4});
  const auto expect_same = [](const char* op, const std::vector<Tensor>& inputs) {
    const AttrMap attrs = Attrs("SAME");
    EXPECT_TRUE(RunKernel1(op, inputs, attrs, 1).BitwiseEquals(RunKernel1(op, inputs, attrs, 3))) << op;
  };
  expect_same("Conv3D", {x, w});
  expect_same("Conv3DBackpropInputV2", {input, w, y});
  expect_same("Conv3DBackpropFilterV2", {x, filter, y});
}

TEST(Conv3D, RefusesWhatDoesNotFit) {
  const Tensor w = MakeTensor<float>({2, 1, 1, 1, 1}, {1, -1});
  EXPECT_EQ(CodeOfKernel("Conv3D", {Cube(), Zeros(DType::kFloat, {1, 1, 1, 1, 0})}, Attrs("VALID")),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Conv3D", {Cube(), Zeros(DType::kFloat, {1, 1, 1, 2, 1})}, Attrs("VALID")),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Conv3D", {Cube(), w}, Attrs("VALID", 0)), Code::kInvalidArgument);
  EXPECT_EQ(
      CodeOfKernel("Conv3DBackpropFilterV2", {Cube(), MakeVector<int32_t>({0, 0, 0, 1, 0}), Cube()}, Attrs("SAME")),
      Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
