// Which code a mistake gets, and which of two mistakes is seen first: facts of TensorFlow's kernels (pooling_ops_*.cc,
// avgpooling_op.cc, maxpooling_op.cc, conv_ops.cc, conv_grad_ops.cc, depthwise_conv_op.cc).
#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Ints = std::vector<int64_t>;

Tensor Images(const Shape& shape) { return Zeros(DType::kFloat, shape); }
Tensor Sizes(std::initializer_list<int32_t> sizes) { return MakeVector<int32_t>(sizes); }

AttrMap Windows(Ints ksize, Ints strides, const char* format) {
  return {{"padding", "VALID"}, {"ksize", std::move(ksize)}, {"strides", std::move(strides)}, {"data_format", format}};
}

TEST(PoolingCodes, OneImageUnderEachKindOfWindow) {
  const auto code = [](const char* op, Ints ksize, Ints strides = {1, 1, 1, 1}) {
    return CodeOfKernel(op, {Images({1, 2, 2, 2})}, Windows(std::move(ksize), std::move(strides), "NHWC"));
  };
  EXPECT_EQ(code("AvgPool", {-1, 1, 1, 1}), Code::kUnimplemented);
  EXPECT_EQ(code("AvgPool", {1, 1, 1, -1}), Code::kInvalidArgument);
  EXPECT_EQ(code("MaxPool", {-1, 1, 1, 1}), Code::kInvalidArgument);
  EXPECT_EQ(code("MaxPool", {1, 1, 1, 1}, {2, 1, 1, 1}), Code::kUnimplemented);
  EXPECT_EQ(code("MaxPool", {1, 2, 2, 2}), Code::kUnimplemented);
  EXPECT_EQ(code("MaxPool", {1, 2, 1, 1}, {1, 1, 1, 2}), Code::kOk) << "one channel deep";
  EXPECT_EQ(code("AvgPool", {1, 2, 1, 1}, {1, 1, 1, 2}), Code::kOk);
}

TEST(PoolingCodes, GradientsOverChannels) {
  const Tensor x = Images({1, 2, 2, 2}), y = Images({1, 1, 1, 2});
  EXPECT_EQ(CodeOfKernel("MaxPoolGrad", {x, y, y}, Windows({1, 2, 2, 0}, {1, 1, 1, 1}, "NHWC")), Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("MaxPoolGrad", {y, y, y}, Windows({1, 2, 2, 1}, {1, 1, 1, 3}, "NHWC")), Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("MaxPoolGradGrad", {x, y, x}, Windows({1, 0, 2, 2}, {1, 1, 1, 1}, "NHWC")),
            Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("MaxPoolGradGrad", {x, y, x}, Windows({1, 0, 2, 1}, {1, 1, 1, 1}, "NHWC")),
            Code::kInvalidArgument);
}

TEST(PoolingCodes, WindowsThatOnlyNhwcKnows) {
  const Tensor x = Images({1, 2, 2, 2});
  const AttrMap attrs = Windows({1, 2, 2, 1}, {1, 2, 2, 1}, "NCHW");
  EXPECT_EQ(CodeOfKernel("AvgPool", {x}, attrs), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MaxPool", {x}, attrs), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MaxPoolGrad", {x, x, x}, attrs), Code::kInvalidArgument);
}

TEST(PoolingCodes, SizesAsInputs) {
  const AttrMap attrs = {{"padding", "VALID"}};
  const Tensor x = Images({1, 2, 2, 1}), one = Sizes({1, 1, 1, 1});
  EXPECT_EQ(CodeOfKernel("MaxPoolV2", {x, Sizes({1, 2, 2, 1, 1}), one}, attrs), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MaxPoolV2", {x, Sizes({0, 2, 2, 1}), one}, attrs), Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("MaxPoolGradV2", {x, Images({1}), x, Sizes({2, 1, 1, 1}), one}, attrs),
            Code::kInvalidArgument);
}

TEST(PoolingCodes, NoImagesAndNoGradients) {
  const AttrMap attrs = Windows({1, 2, 2, 1}, {1, 2, 2, 1}, "NHWC");
  EXPECT_EQ(RunKernel1("AvgPoolGrad", {Sizes({0, 2, 2, 3}), Images({1, 5, 5, 3})}, attrs).shape(), Shape({0, 2, 2, 3}));
  EXPECT_EQ(Values<float>(RunKernel1("AvgPoolGrad", {Sizes({1, 1, 2, 1}), Images({0, 1, 1, 1})}, attrs)),
            std::vector<float>(2));
  EXPECT_EQ(CodeOfKernel("AvgPoolGrad", {Sizes({1, 2, 2, 1}), Images({1, 1, 2, 1})}, attrs), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("AvgPoolGrad", {Sizes({0, 2, 2, 1}), Images({0})}, attrs), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MaxPoolWithArgmax", {Images({1, 2, 2, 0})}, attrs), Code::kInvalidArgument);
}

TEST(PoolingCodes, Volumes) {
  const Tensor x = Images({1, 2, 2, 2, 1});
  const auto attrs = [](Ints ksize, const char* format) { return Windows(std::move(ksize), {1, 1, 1, 1, 1}, format); };
  EXPECT_EQ(CodeOfKernel("AvgPool3D", {x}, attrs({0, 1, 1, 1, 1}, "NDHWC")), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MaxPool3D", {x}, attrs({2, 1, 1, 1, 1}, "NDHWC")), Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("MaxPool3DGradGrad", {x, x, x}, attrs({1, 1, 1, 1, -1}, "NDHWC")), Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("MaxPool3D", {x}, attrs({1, 2, 2, 2, 1}, "NCDHW")), Code::kInvalidArgument);
}

TEST(ConvolutionCodes, StepsOverBatchAndDepth) {
  const Tensor x = Images({1, 2, 2, 2}), w = Images({1, 1, 2, 2});
  const auto steps = [](Ints strides, Ints dilations, const char* format) {
    return AttrMap{{"padding", "SAME"},
                   {"strides", std::move(strides)},
                   {"dilations", std::move(dilations)},
                   {"data_format", format}};
  };
  const AttrMap strided = steps({1, 1, 1, 2}, {1, 1, 1, 1}, "NHWC"), turned = steps({2, 1, 1, 1}, {1, 1, 1, 1}, "NCHW");
  EXPECT_EQ(CodeOfKernel("Conv2D", {x, w}, strided), Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("Conv2D", {x, w}, turned), Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("Conv2DBackpropInput", {Sizes({1, 2, 2, 2}), w, x}, strided), Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("Conv2DBackpropInput", {Sizes({1, 2, 2, 2}), w, x}, turned), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Conv2DBackpropFilter", {x, Sizes({1, 1, 2, 2}), x}, strided), Code::kInvalidArgument);
  const AttrMap dilated = steps({1, 1, 1, 1}, {1, 1, 3, 1}, "NHWC");
  const Tensor filter = Images({1, 1, 2, 1});
  EXPECT_EQ(CodeOfKernel("DepthwiseConv2dNative", {x, filter}, dilated), Code::kUnimplemented);
  EXPECT_EQ(CodeOfKernel("DepthwiseConv2dNativeBackpropFilter", {x, Sizes({1, 1, 2, 1}), x}, dilated), Code::kOk);
}

}  // namespace
}  // namespace plumb::fast::cpu
