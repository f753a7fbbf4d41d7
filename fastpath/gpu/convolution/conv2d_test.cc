#include <algorithm>

#include "fastpath/gpu/convolution/by_engines_testing.h"

namespace plumb::fast {
namespace {

AttrMap Slid(const std::string& format) {
  return {{"T", DType::kFloat},
          {"strides", std::vector<int64_t>{1, 1, 1, 1}},
          {"padding", std::string("SAME")},
          {"data_format", format}};
}
Tensor Listed(const Shape& shape) {
  std::vector<int32_t> dims;
  for (const int64_t dim : shape.dims()) dims.push_back(static_cast<int32_t>(dim));
  return VectorOf(dims);
}

Tensor Halves(const Shape& shape) {
  const Tensor digits = Digits(shape, 3);
  Tensor halves(DType::kHalf, shape);
  std::transform(digits.data<float>().begin(), digits.data<float>().end(), halves.mutable_data<Half>().begin(),
                 [](float digit) { return Half(digit); });
  return halves;
}

// As TensorFlow's kernels of GPUs refuse them.
TEST(GpuConvolution, RefusesStridesOverBatchOrDepth) {
  const Shape images{1, 3, 3, 1}, filter{1, 1, 1, 1};
  for (const auto& strides : {std::vector<int64_t>{2, 1, 1, 1}, std::vector<int64_t>{1, 1, 1, 2}}) {
    AttrMap attrs = Slid("NHWC");
    attrs["strides"] = strides;
    const auto code = [&](const std::string& op, std::vector<Tensor> inputs) {
      return StatusOf({op, std::move(inputs), attrs}).code();
    };
    EXPECT_EQ(code("Conv2D", {Digits(images), Digits(filter)}), Code::kUnimplemented);
    EXPECT_EQ(code("Conv2DBackpropInput", {Listed(images), Digits(filter), Digits(images)}), Code::kUnimplemented);
    EXPECT_EQ(code("Conv2DBackpropFilter", {Digits(images), Listed(filter), Digits(images)}), Code::kInvalidArgument);
  }
}

// Images whose patches are gathered some at a time: the last ones are fewer.
TEST(GpuConvolution, OfImagesSomeAtATimeIsThatOfAll) {
  const WithCudnn without({.is_installed = false});
  const Shape images{5, 48, 48, 128}, filter{3, 3, 128, 2}, output{5, 48, 48, 2};
  ExpectSameOnBoth({"Conv2D", {Digits(images, 3), Digits(filter, 3)}, Slid("NHWC")});
  ExpectSameOnBoth({"Conv2DBackpropInput", {Listed(images), Digits(filter, 3), Digits(output, 3)}, Slid("NHWC")});
  ExpectSameOnBoth({"Conv2DBackpropFilter", {Digits(images, 3), Listed(filter), Digits(output, 3)}, Slid("NHWC")});
}

// Sums of 16-bit floats are rounded once, however many images they are made of.
TEST(GpuConvolution, OfHalvesRoundsTheSumOfAllImages) {
  const Shape images{15, 32, 32, 128}, filter{3, 3, 128, 1}, output{15, 32, 32, 1};
  AttrMap attrs = Slid("NHWC");
  attrs["T"] = DType::kHalf;
  ExpectSameByEachEngine({"Conv2DBackpropFilter", {Halves(images), Listed(filter), Halves(output)}, attrs});
}

TEST(GpuConvolution, TakesBothFormats) {
  const Shape images{2, 6, 9, 10}, filter{3, 2, 6, 4}, output{2, 4, 9, 10};
  ExpectSameByEachEngine({"Conv2D", {Digits(images), Digits(filter)}, Slid("NCHW")});
  ExpectSameByEachEngine({"Conv2DBackpropInput", {Listed(images), Digits(filter), Digits(output)}, Slid("NCHW")});
  ExpectSameByEachEngine({"Conv2DBackpropFilter", {Digits(images), Listed(filter), Digits(output)}, Slid("NCHW")});
}

TEST(GpuConvolution, OfGroupsAndOfSinglePixels) {
  ExpectSameByEachEngine({"Conv2D", {Digits({2, 5, 6, 6}), Digits({3, 2, 2, 9})}, Slid("NHWC")});
  ExpectSameByEachEngine({"Conv2D", {Digits({2, 6, 5, 4}), Digits({3, 2, 2, 9})}, Slid("NCHW")});
}

// Products as they lie, with cuDNN or without: of images whose gradients of filters are summed up in parts, and of
// others. 16-bit floats are cuDNN's.
TEST(GpuConvolution, BySinglePixelsIsAProduct) {
  const WithCudnn with({});
  const int64_t before = EmulatedCudnnCalls().convolutions();
  for (const int64_t channels : {3, 600}) {
    const int64_t of = channels == 3 ? 4 : 600, count = channels == 3 ? 6 : 1;
    const Shape images{count, 5, 6, of}, filter{1, 1, of, channels}, output{count, 5, 6, channels};
    ExpectSameOnBoth({"Conv2D", {Digits(images, 3), Digits(filter, 3)}, Slid("NHWC")});
    ExpectSameOnBoth({"Conv2DBackpropInput", {Listed(images), Digits(filter, 3), Digits(output, 3)}, Slid("NHWC")});
    ExpectSameOnBoth({"Conv2DBackpropFilter", {Digits(images, 3), Listed(filter), Digits(output, 3)}, Slid("NHWC")});
  }
  EXPECT_EQ(EmulatedCudnnCalls().convolutions(), before);
  AttrMap attrs = Slid("NHWC");
  attrs["T"] = DType::kHalf;
  ExpectSameByEachEngine({"Conv2D", {Halves({2, 3, 4, 4}), Halves({1, 1, 4, 3})}, attrs});
}

TEST(GpuPooling, TakesChannelsFirst) {
  const AttrMap attrs = {{"T", DType::kFloat},
                         {"ksize", std::vector<int64_t>{1, 1, 3, 2}},
                         {"strides", std::vector<int64_t>{1, 1, 2, 2}},
                         {"padding", std::string("SAME")},
                         {"data_format", std::string("NCHW")}};
  const Shape images{2, 3, 9, 8}, output{2, 3, 5, 4};
  ExpectSameOnBoth({"MaxPool", {Digits(images, 1000)}, attrs});
  ExpectSameOnBoth({"MaxPoolGrad", {Digits(images, 1000), Digits(output), Digits(output)}, attrs});
}

}  // namespace
}  // namespace plumb::fast
