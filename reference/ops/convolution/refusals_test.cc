// Which code a mistake gets, and which of two mistakes is seen first: facts of TensorFlow's kernels (pooling_ops_*.cc,
// avgpooling_op.cc, maxpooling_op.cc, conv_ops.cc, conv_grad_ops.cc, depthwise_conv_op.cc).
#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::Each;
using testing::ElementsAreArray;
using Ints64 = std::vector<int64_t>;

Value Images(const Shape& shape) { return Zeros(DType::kFloat, shape); }

AttrMap Windows(Ints64 ksize, Ints64 strides, const char* format) {
  return {{"padding", "VALID"}, {"ksize", std::move(ksize)}, {"strides", std::move(strides)}, {"data_format", format}};
}

TEST(PoolingRefusals, TheBatchIsAskedForBeforeSizesButForMaxPool) {
  const auto code = [](std::string_view op, Ints64 ksize, Ints64 strides = {1, 1, 1, 1}) {
    return KernelCall{op, {Images({1, 2, 2, 2})}, Windows(std::move(ksize), std::move(strides), "NHWC")}.Fails();
  };
  EXPECT_EQ(code("AvgPool", {0, 1, 1, 1}), Code::kUnimplemented);
  EXPECT_EQ(code("AvgPool", {1, 1, 1, 0}), Code::kInvalidArgument);
  EXPECT_EQ(code("MaxPool", {0, 1, 1, 1}), Code::kInvalidArgument);
  EXPECT_EQ(code("MaxPool", {2, 1, 1, 1}), Code::kUnimplemented);
  EXPECT_EQ(code("MaxPool", {1, 2, 2, 1}, {1, 1, 1, 2}), Code::kOk) << "the stride of windows one channel deep";
  EXPECT_EQ(code("AvgPool", {1, 2, 2, 1}, {1, 1, 1, 2}), Code::kOk);
}

TEST(PoolingRefusals, ChannelsAreAskedForFirstInGradients) {
  const Value x = Images({1, 2, 2, 2}), y = Images({1, 1, 1, 2});
  const auto code = [&](std::string_view op, Ints64 ksize, Ints64 strides, const Value& image) {
    return KernelCall{op, {image, y, y}, Windows(std::move(ksize), std::move(strides), "NHWC")}.Fails();
  };
  EXPECT_EQ(code("MaxPoolGrad", {1, 2, 2, 0}, {1, 1, 1, 1}, x), Code::kUnimplemented);
  EXPECT_EQ(code("MaxPoolGrad", {1, 2, 2, 2}, {1, 1, 1, 1}, Images({2})), Code::kUnimplemented);
  EXPECT_EQ(code("MaxPoolGradGrad", {1, 2, 2, 1}, {1, 1, 1, 0}, x), Code::kUnimplemented);
}

TEST(PoolingRefusals, AnotherLayoutIsAWrongArgument) {
  const AttrMap attrs = Windows({1, 2, 2, 1}, {1, 2, 2, 1}, "NCHW");
  for (const auto* op : {"AvgPool", "MaxPool", "MaxPoolGrad"}) {
    const Value x = Images({1, 2, 2, 2});
    EXPECT_EQ((KernelCall{op, {x, x, x}, attrs}.Fails()), Code::kInvalidArgument) << op;
  }
}

TEST(PoolingRefusals, TheGradientDoesWithoutPaddingsThatAreNotExplicit) {
  const Value x = Images({1, 2, 2, 1}), y = Images({1, 1, 1, 1});
  AttrMap attrs = Windows({1, 2, 2, 1}, {1, 2, 2, 1}, "NHWC");
  attrs["explicit_paddings"] = Ints64{1, -2};
  EXPECT_EQ((KernelCall{"MaxPoolGrad", {x, y, y}, attrs}.Fails()), Code::kOk);
  EXPECT_EQ((KernelCall{"MaxPool", {x}, attrs}.Fails()), Code::kInvalidArgument);
}

TEST(PoolingRefusals, SizesThatAreInputsAreAskedForTheBatchFirst) {
  const auto code = [](const Value& ksize, const Value& strides) {
    return KernelCall{"MaxPoolV2", {Images({1, 2, 2, 1}), ksize, strides}, {{"padding", "VALID"}}}.Fails();
  };
  EXPECT_EQ(code(Ints({1, 2, 2}), Ints({1, 1, 1, 1})), Code::kInvalidArgument);
  EXPECT_EQ(code(Ints({2, 2, 2, 1}), Ints({1, 1, 1, 1})), Code::kUnimplemented);
  const auto of_vector = [](const Value& ksize) {
    return KernelCall{"MaxPoolV2", {Images({2}), ksize, Ints({1, 1, 1, 1})}, {{"padding", "VALID"}}}.Fails();
  };
  EXPECT_EQ(of_vector(Ints({2, 2, 2, 1})), Code::kUnimplemented);
  EXPECT_EQ(of_vector(Ints({1, 2, 2, 1})), Code::kInvalidArgument);
  const Value x = Images({1, 1, 1, 1});
  const KernelCall gradient{"MaxPoolGradV2", {x, x, x, Ints({1, 1, 1, 1}), Ints({1, 1, 1, 0})}, {{"padding", "VALID"}}};
  EXPECT_EQ(gradient.Fails(), Code::kUnimplemented) << "channels are asked for before strides";
}

TEST(PoolingRefusals, WindowsOfNoSizeThatAreInputsHoldNothing) {  // as TensorFlow answers
  const auto pooled = [](const char* padding, std::initializer_list<int32_t> ksize) {
    return KernelCall{"MaxPoolV2", {Images({1, 4, 4, 1}), Ints(ksize), Ints({1, 2, 2, 1})}, {{"padding", padding}}}();
  };
  EXPECT_EQ(pooled("VALID", {1, 0, 2, 1}).tensor.shape(), Shape({1, 3, 2, 1}));
  EXPECT_EQ(pooled("VALID", {1, -2, 2, 1}).tensor.shape(), Shape({1, 4, 2, 1}));
  EXPECT_THAT(Floats(pooled("SAME", {1, -2, 2, 1})),
              ElementsAreArray(std::vector<float>(4, -LargestFinite(DType::kFloat))));
  const Value x = Images({1, 4, 4, 1}), y = MakeTensor<float>({1, 2, 2, 1}, {1, 2, 3, 4});
  const auto gradient = [&](std::string_view op, const char* padding, const Value& ksize) {
    const Value& given = op == "MaxPoolGradV2" ? y : x;
    return KernelCall{op, {x, y, given, ksize, Ints({1, 2, 2, 1})}, {{"padding", padding}}};
  };
  for (const auto* op : {"MaxPoolGradV2", "MaxPoolGradGradV2"}) {
    EXPECT_THAT(Floats(gradient(op, "SAME", Ints({1, 0, 2, 1}))()), Each(0));
    EXPECT_EQ(gradient(op, "VALID", Ints({1, 0, 2, 1})).Fails(), Code::kInvalidArgument) << "more windows than y has";
    const Value table = MakeTensor<int32_t>({2, 2}, {1, 2, 2, 1});
    EXPECT_EQ(gradient(op, "VALID", table).Fails(), Code::kOk) << "in whatever shape";
  }
}

TEST(PoolingRefusals, GradientsOfNothingAreNothing) {
  const AttrMap attrs = Windows({1, 2, 2, 1}, {1, 2, 2, 1}, "NHWC");
  const auto gradient = [&](const Value& sizes, const Shape& shape) {
    return KernelCall{"AvgPoolGrad", {sizes, Images(shape)}, attrs, {DType::kFloat}};
  };
  EXPECT_EQ(gradient(Ints({1, 0, 2, 3}), {1, 5, 5, 3})().tensor.shape(), Shape({1, 0, 2, 3}));
  EXPECT_THAT(Floats(gradient(Ints({1, 2, 2, 1}), {1, 1, 0, 1})()), Each(0));
  EXPECT_EQ(gradient(Ints({1, 2, 2, 1}), {2, 1, 1, 1}).Fails(), Code::kInvalidArgument);
  EXPECT_EQ(gradient(Ints({1, 0, 2, 1}), {1, 1}).Fails(), Code::kInvalidArgument);
  EXPECT_EQ((KernelCall{"MaxPoolWithArgmax", {Images({0, 2, 2, 1})}, attrs, {DType::kFloat, DType::kInt64}}.Fails()),
            Code::kInvalidArgument);
}

TEST(PoolingRefusals, VolumesAreAskedForSizesFirstButNotInGradients) {
  const Value x = Images({1, 2, 2, 2, 1});
  const auto code = [&](std::string_view op, Ints64 ksize, const char* format) {
    return KernelCall{op, {x, x, x}, Windows(std::move(ksize), {1, 1, 1, 1, 1}, format)}.Fails();
  };
  EXPECT_EQ(code("MaxPool3D", {0, 1, 1, 1, 1}, "NDHWC"), Code::kInvalidArgument);
  EXPECT_EQ(code("AvgPool3D", {1, 1, 1, 1, 2}, "NDHWC"), Code::kUnimplemented);
  EXPECT_EQ(code("MaxPool3DGrad", {0, 1, 1, 1, 1}, "NDHWC"), Code::kUnimplemented);
  EXPECT_EQ(code("AvgPool3D", {1, 2, 2, 2, 1}, "NCDHW"), Code::kInvalidArgument);
}

AttrMap Steps(Ints64 strides, Ints64 dilations, const char* format) {
  return {{"padding", "SAME"},
          {"strides", std::move(strides)},
          {"dilations", std::move(dilations)},
          {"data_format", format}};
}

TEST(ConvolutionRefusals, StepsOverTheBatchHaveACodeForEachOp) {
  const Value x = Images({1, 2, 2, 2}), sizes = Ints({1, 2, 2, 2}), w = Images({1, 1, 2, 2}), of_w = Ints({1, 1, 2, 2});
  for (const auto* format : {"NHWC", "NCHW"}) {
    for (const AttrMap& attrs :
         {Steps({2, 1, 1, 1}, {1, 1, 1, 1}, format), Steps({1, 1, 1, 1}, {0, 1, 1, 1}, format)}) {
      EXPECT_EQ((KernelCall{"Conv2D", {x, w}, attrs}.Fails()), Code::kUnimplemented);
      EXPECT_EQ((KernelCall{"Conv2DBackpropInput", {sizes, w, x}, attrs, {DType::kFloat}}.Fails()),
                format[1] == 'H' ? Code::kUnimplemented : Code::kInvalidArgument);
      EXPECT_EQ((KernelCall{"Conv2DBackpropFilter", {x, of_w, x}, attrs}.Fails()), Code::kInvalidArgument);
    }
  }
}

TEST(DilationRefusals, NoStepsOverBatchAndChannels) {
  const Value x = Images({1, 2, 2, 2}), w = Images({1, 1, 2});
  const auto code = [&](std::string_view op, Ints64 strides, Ints64 rates) {
    const AttrMap attrs = {{"padding", "SAME"}, {"strides", std::move(strides)}, {"rates", std::move(rates)}};
    return KernelCall{op, {x, w, x}, attrs}.Fails();
  };
  for (const auto* op : {"Dilation2D", "Dilation2DBackpropInput", "Dilation2DBackpropFilter"}) {
    EXPECT_EQ(code(op, {1, 1, 1, 1}, {1, 1, 1, 1}), Code::kOk) << op;
    for (const Ints64& steps : {Ints64{2, 1, 1, 1}, Ints64{1, 1, 1, 2}, Ints64{0, 1, 1, 1}, Ints64{1, 1, 1, 0}}) {
      EXPECT_EQ(code(op, steps, {1, 1, 1, 1}), Code::kUnimplemented) << op;
      EXPECT_EQ(code(op, {1, 1, 1, 1}, steps), Code::kUnimplemented) << op;
    }
  }
}

TEST(ConvolutionRefusals, GradientsOfVolumesTakeAnEmptyFilter) {
  const AttrMap attrs = {{"padding", "SAME"}, {"strides", Ints64{1, 1, 1, 1, 1}}, {"dilations", Ints64{1, 1, 1, 1, 1}}};
  const Value x = Images({1, 2, 2, 2, 1}), sizes = Ints({1, 2, 2, 2, 1}), none = Images({1, 0, 1, 1, 3});
  const Value dy = Images({1, 2, 2, 2, 3}), nowhere = Images({1, 1, 1, 1, 0}), no_dy = Images({1, 2, 2, 2, 0});
  EXPECT_EQ((KernelCall{"Conv3D", {x, none}, attrs}.Fails()), Code::kInvalidArgument);
  const auto gradient = [&](std::string_view op, std::vector<Value> inputs) {
    return KernelCall{op, std::move(inputs), attrs, {DType::kFloat}}().tensor;
  };
  for (const Tensor& dx :
       {gradient("Conv3DBackpropInputV2", {sizes, none, dy}), gradient("Conv3DBackpropInput", {x, nowhere, no_dy})}) {
    EXPECT_TRUE(dx.BitwiseEquals(x.tensor));
  }
  EXPECT_EQ(gradient("Conv3DBackpropFilterV2", {x, Ints({1, 0, 1, 1, 3}), dy}).shape(), none.tensor.shape());
  EXPECT_EQ(gradient("Conv3DBackpropFilter", {x, nowhere, no_dy}).shape(), nowhere.tensor.shape());
  EXPECT_EQ((KernelCall{"Conv3DBackpropFilterV2", {x, Ints({1, 0, 1, 1, 0}), no_dy}, attrs}.Fails()),
            Code::kInvalidArgument)
      << "neither a window nor channels";
  EXPECT_EQ(
      gradient("Conv3DBackpropFilterV2", {Images({0, 2, 2, 2, 1}), Ints({1, 0, 1, 1, 0}), Images({0, 2, 2, 2, 0})})
          .shape(),
      Shape({1, 0, 1, 1, 0}));
  const Value no_x = Images({1, 2, 2, 2, 0});
  EXPECT_EQ((KernelCall{"Conv3DBackpropFilterV2", {no_x, Ints({1, 1, 1, 0, 3}), dy}, attrs}.Fails()),
            Code::kInvalidArgument)
      << "no channels of the input";
}

TEST(ConvolutionRefusals, OnlyTheGradientsOfDepthwiseOnesPassOverDilations) {
  const Value x = Images({1, 2, 2, 1}), w = Images({1, 1, 1, 1}), sizes = Ints({1, 2, 2, 1});
  const AttrMap attrs = Steps({1, 1, 1, 1}, {1, 2, 1, 1}, "NHWC");
  EXPECT_EQ((KernelCall{"DepthwiseConv2dNative", {x, w}, attrs}.Fails()), Code::kUnimplemented);
  EXPECT_EQ((KernelCall{"DepthwiseConv2dNativeBackpropInput", {sizes, w, x}, attrs, {DType::kFloat}}.Fails()),
            Code::kOk);
}

}  // namespace
}  // namespace plumb::reference
