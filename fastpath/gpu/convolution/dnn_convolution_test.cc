// Convolutions by cuDNN on an emulated GPU: every shape that it takes, by an engine that is chosen once.
#include <algorithm>

#include "fastpath/gpu/convolution/by_engines_testing.h"
#include "fastpath/gpu/gpu_section_testing.h"

namespace plumb::fast {
namespace {

using Ints = std::vector<int64_t>;
using section_testing::Both;
using section_testing::kSteps;

Tensor Listed(const Shape& shape) {
  std::vector<int32_t> dims;
  for (const int64_t dim : shape.dims()) dims.push_back(static_cast<int32_t>(dim));
  return VectorOf(dims);
}

// A convolution of images with 3 channels by windows for 2.
struct Slid {
  DType type = DType::kFloat;
  bool channels_first = false;
  Shape space{}, window{}, results{};
  Ints strides{}, dilations{}, paddings{};  // by axis of space; paddings: before and after each

  Shape Of(int64_t images, const Shape& sizes, int64_t channels) const {
    Ints dims = {images};
    if (channels_first) dims.push_back(channels);
    dims.insert(dims.end(), sizes.dims().begin(), sizes.dims().end());
    if (!channels_first) dims.push_back(channels);
    return Shape(dims);
  }
  Shape images() const { return Of(2, space, 3); }
  Shape gradient() const { return Of(2, results, 2); }
  Shape filter() const { return Shape({window[0], window[1], 3, 2}); }
  AttrMap attrs() const {
    const auto of_axes = [&](const Ints& of_space) {
      return channels_first ? Ints{1, 1, of_space[0], of_space[1]} : Ints{1, of_space[0], of_space[1], 1};
    };
    Ints padding(8, 0);
    std::copy(paddings.begin(), paddings.end(), padding.begin() + (channels_first ? 4 : 2));
    return {{"T", type},
            {"strides", of_axes(strides)},
            {"dilations", of_axes(dilations)},
            {"padding", std::string("EXPLICIT")},
            {"explicit_paddings", padding},
            {"data_format", std::string(channels_first ? "NCHW" : "NHWC")}};
  }
};

template <class T>
Tensor As(const Tensor& numbers) {
  Tensor made(DTypeOf<T>, numbers.shape());
  std::transform(numbers.data<float>().begin(), numbers.data<float>().end(), made.mutable_data<T>().begin(),
                 [](float number) { return static_cast<T>(number); });
  return made;
}
Tensor NumbersOf(DType type, const Shape& shape) {
  const Tensor digits = Digits(shape, 3);
  if (type == DType::kHalf) return As<Half>(digits);
  if (type == DType::kBfloat16) return As<BFloat16>(digits);
  return type == DType::kDouble ? As<double>(digits) : digits;
}

void ExpectAllPasses(const Slid& slid) {
  const AttrMap attrs = slid.attrs();
  const Tensor images = NumbersOf(slid.type, slid.images()), filter = NumbersOf(slid.type, slid.filter());
  const Tensor gradient = NumbersOf(slid.type, slid.gradient());
  ExpectSameByEachEngine({"Conv2D", {images, filter}, attrs});
  ExpectSameByEachEngine({"Conv2DBackpropInput", {Listed(slid.images()), filter, gradient}, attrs});
  ExpectSameByEachEngine({"Conv2DBackpropFilter", {images, Listed(slid.filter()), gradient}, attrs});
}

TEST(DnnConvolution, PadsOneSideMoreThanTheOther) {
  for (const bool channels_first : {false, true}) {
    Slid slid{
        .channels_first = channels_first, .space = {5, 6}, .window = {2, 3}, .strides = {1, 1}, .dilations = {1, 1}};
    slid.paddings = {2, 0, 0, 3};
    slid.results = {6, 7};
    ExpectAllPasses(slid);
    slid.paddings = {0, 1, 4, 1};
    slid.strides = {2, 3};
    slid.results = {3, 3};
    ExpectAllPasses(slid);
    slid.paddings = {3, 1, 1, 2};
    slid.dilations = {3, 2};
    slid.results = {3, 2};
    ExpectAllPasses(slid);
  }
}

TEST(DnnConvolution, TakesAllTypesInBothFormats) {
  for (const DType type : {DType::kFloat, DType::kDouble, DType::kHalf, DType::kBfloat16}) {
    for (const bool channels_first : {false, true}) {
      Slid slid{.type = type, .channels_first = channels_first, .space = {4, 4}, .window = {3, 2}, .results = {4, 5}};
      slid.strides = slid.dilations = {1, 1};
      slid.paddings = {1, 1, 1, 1};
      ExpectAllPasses(slid);
    }
  }
}

// cuDNN has nothing to say of them.
TEST(DnnConvolution, OfNothingIsLeftToOurOwnKernels) {
  const WithCudnn with({});
  const int64_t before = EmulatedCudnnCalls().choices;
  Slid slid{.space = {4, 4}, .window = {3, 2}, .results = {2, 3}};
  slid.strides = slid.dilations = {1, 1};
  slid.paddings = {0, 0, 0, 0};
  ExpectSameOnBoth({"Conv2D", {Digits({0, 4, 4, 3}), Digits(slid.filter())}, slid.attrs()});
  ExpectSameOnBoth({"Conv2D", {Digits(slid.images()), Digits({3, 2, 3, 0})}, slid.attrs()});
  EXPECT_EQ(EmulatedCudnnCalls().choices, before);
}

TEST(DnnConvolution, WithoutAnAlgorithmIsLeftToOurOwnKernels) {
  const WithCudnn with({.has_algorithms = false});
  const CudnnCalls before = EmulatedCudnnCalls();
  ExpectSameOnBoth({"Conv2D",
                    {Digits({1, 4, 4, 2}), Digits({3, 3, 2, 2})},
                    {{"T", DType::kFloat}, {"strides", Ints{1, 1, 1, 1}}, {"padding", std::string("SAME")}}});
  EXPECT_GT(EmulatedCudnnCalls().choices, before.choices);
  EXPECT_EQ(EmulatedCudnnCalls().convolutions(), before.convolutions());
}

// A convolution, and both of its gradients for what it gives.
GraphDef ThreePasses() {
  const AttrMap attrs = {{"T", DType::kFloat}, {"strides", Ints{1, 2, 2, 1}}, {"padding", std::string("SAME")}};
  GraphDef graph;
  graph.nodes = {section_testing::Fed("x"),
                 section_testing::Fed("w"),
                 MakeConst("x_shape", Listed({2, 6, 7, 3})),
                 MakeConst("w_shape", Listed({3, 2, 3, 4})),
                 MakeNode("y", "Conv2D", {"x", "w"}, attrs),
                 MakeNode("dx", "Conv2DBackpropInput", {"x_shape", "w", "y"}, attrs),
                 MakeNode("dw", "Conv2DBackpropFilter", {"x", "w_shape", "y"}, attrs)};
  return graph;
}

// Captured, too, to the bit. The first session tries both layouts of each pass; the other one asks for what was kept.
TEST(DnnConvolution, IsCapturedWithTheEngineThatWasChosenOnce) {
  const WithCudnn with({});
  Both both(ThreePasses());
  const CudnnCalls before = EmulatedCudnnCalls();
  int64_t graphs = 0;
  for (uint32_t step = 0; step < kSteps; ++step) {
    const std::vector<Feed> feeds = {{"x", section_testing::Numbers({2, 6, 7, 3}, step)},
                                     {"w", section_testing::Numbers({3, 2, 3, 4}, 7 * step + 1)}};
    graphs += both.Run({feeds, {"y", "dx", "dw"}, {}}, Str("step ", step));
  }
  EXPECT_GT(graphs, 0);
  const CudnnCalls after = EmulatedCudnnCalls();
  EXPECT_EQ(after.choices, before.choices + 3 * (2 + 1));
  EXPECT_GT(after.convolutions(), before.convolutions());
}

}  // namespace
}  // namespace plumb::fast
