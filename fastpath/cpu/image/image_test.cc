#include <gtest/gtest.h>

#include <span>
#include <utility>
#include <vector>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

Tensor Image(std::initializer_list<float> pixels, int64_t height, int64_t width) {
  return MakeTensor<float>({1, height, width, 1}, pixels);
}

TEST(Image, BoxesFollowThePixelsThatTheyCutOut) {
  // One pixel in the middle of four: two more downwards, one more to the right, and each corner moves it by half.
  const Tensor image = Image({0, 1, 2, 3}, 2, 2), grads = Image({1}, 1, 1);
  const Tensor boxes = MakeTensor<float>({1, 4}, {0, 0, 1, 1}), first = MakeVector<int32_t>({0});
  EXPECT_EQ(Values<float>(RunKernel1("CropAndResizeGradBoxes", {grads, image, boxes, first})),
            (std::vector<float>{1, 0.5, 1, 0.5}));
  EXPECT_EQ(CodeOfKernel("CropAndResizeGradBoxes", {grads, image, boxes, MakeVector<int32_t>({1})}), Code::kOutOfRange);
}

TEST(Image, BoxesThatOverlapABetterOneAreLeftOut) {
  const Tensor boxes = MakeTensor<float>({3, 4}, {0, 0, 1, 1, 0, 0, 1, 0.75, 2, 2, 3, 3});
  const Tensor scores = MakeVector<float>({0.5, 0.75, 0.25});
  EXPECT_EQ(Values<int32_t>(RunKernel1("NonMaxSuppression", {boxes, scores, MakeScalar<int32_t>(3)})),
            (std::vector<int32_t>{1, 2}));
  EXPECT_EQ(Values<int32_t>(
                RunKernel1("NonMaxSuppression", {boxes, scores, MakeScalar<int32_t>(3)}, {{"iou_threshold", 0.8f}})),
            (std::vector<int32_t>{1, 0, 2}));
  EXPECT_EQ(CodeOfKernel("NonMaxSuppression", {boxes, scores, MakeScalar<int32_t>(-1)}), Code::kInvalidArgument);
}

// As TensorFlow 2.12.1 answers.
TEST(Image, BoxesOfAllClassesCompete) {
  const auto corners = [](std::initializer_list<float> left) {
    std::vector<float> all;
    for (const float x : left) all.insert(all.end(), {0, x, 1, x + 1});
    return MakeTensor<float>({1, static_cast<int64_t>(left.size()), 1, 4}, std::span<const float>(all));
  };
  const Tensor boxes = corners({0, 0.125, -0.125, 10, 10.125, 100});
  const Tensor scores =
      MakeTensor<float>({1, 6, 2}, {0.875, 0.125, 0.75, 0.25, 0.5, 0.375, 0.9375, 0.8125, 0.5, 0.625, 0.3125, 1});
  const auto run = [&](int32_t most, int32_t total, AttrMap attrs) {
    return RunKernel("CombinedNonMaxSuppression",
                     {boxes, scores, MakeScalar(most), MakeScalar(total), MakeScalar(0.5f), MakeScalar(0.0f)},
                     std::move(attrs));
  };
  const auto found = run(3, 8, {});
  EXPECT_EQ(Values<float>(found[1]), (std::vector<float>{1, 0.9375, 0.875, 0.8125, 0.375, 0.3125, 0, 0}));
  EXPECT_EQ(Values<float>(found[2]), (std::vector<float>{1, 0, 0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(Values<int32_t>(found[3]), (std::vector<int32_t>{6}));
  const auto clipped = Values<float>(found[0]);
  EXPECT_EQ(std::vector<float>(clipped.begin() + 16, clipped.begin() + 20), (std::vector<float>{0, 0, 1, 0.875}));
  const auto padded = run(2, 10, {{"pad_per_class", true}, {"clip_boxes", false}});
  EXPECT_EQ(padded[0].shape(), Shape({1, 4, 4}));
  EXPECT_EQ(Values<float>(padded[0]), (std::vector<float>{0, 100, 1, 101, 0, 10, 1, 11, 0, 0, 1, 1, 0, 10, 1, 11}));

  // Equal scores stay in the order of the heap.
  const auto tied = RunKernel("CombinedNonMaxSuppression",
                              {corners({0, 2, 4, 6, 8, 10}), MakeTensor<float>({1, 6, 1}, {1, 1, 1, 1, 1, 1}),
                               MakeScalar(4), MakeScalar(4), MakeScalar(0.5f), MakeScalar(0.0f)},
                              {{"clip_boxes", false}});
  EXPECT_EQ(Values<float>(tied[0]), (std::vector<float>{0, 0, 1, 1, 0, 4, 1, 5, 0, 10, 1, 11, 0, 8, 1, 9}));

  const auto code = [&](const Tensor& given, int32_t most, int32_t total, float overlap) {
    return CodeOfKernel("CombinedNonMaxSuppression",
                        {given, scores, MakeScalar(most), MakeScalar(total), MakeScalar(overlap), MakeScalar(0.0f)});
  };
  EXPECT_EQ(code(boxes, 0, 5, 0.5), Code::kInvalidArgument);
  EXPECT_EQ(code(boxes, 3, 0, 0.5), Code::kInvalidArgument);
  EXPECT_EQ(code(boxes, 3, 5, 1.5), Code::kInvalidArgument);
  EXPECT_EQ(code(boxes.Reshaped({6, 4}), 3, 5, 0.5), Code::kInvalidArgument);
  EXPECT_EQ(code(boxes.Reshaped({1, 2, 3, 4}), 3, 5, 0.5), Code::kInvalidArgument);
}

TEST(Image, PixelsHaveThreeChannels) {
  for (const char* op : {"RGBToHSV", "HSVToRGB"}) {
    EXPECT_EQ(CodeOfKernel(op, {Image({0.5, 0.5, 1, 1}, 2, 2)}), Code::kFailedPrecondition);
    EXPECT_EQ(CodeOfKernel(op, {MakeScalar<float>(1)}), Code::kInvalidArgument);
  }
}

// ImageResizerGradientState: input 1 says a height and a width, and nothing else.
TEST(Image, GradientsOfResizedImagesKeepTheirNumberAndChannels) {
  const Tensor grads = MakeTensor<float>({1, 2, 1, 2}, {1, 2, 3, 4}), original = Image({0, 0, 0}, 1, 3);
  EXPECT_EQ(RunKernel1("ResizeBilinearGrad", {grads, original}).shape(), Shape({1, 1, 3, 2}));
  EXPECT_EQ(Values<float>(RunKernel1("ResizeBicubicGrad", {grads, Image({0}, 1, 1)})), (std::vector<float>{4, 6}));
  EXPECT_EQ(
      CodeOfKernel("ResizeBilinearGrad", {grads, original}, {{"align_corners", true}, {"half_pixel_centers", true}}),
      Code::kInvalidArgument);
  // Places (i + 0.5) / 2 to the nearest whole number: 0, 1 and 1.
  const Tensor nearest = RunKernel1("ResizeNearestNeighborGrad", {Image({1, 2, 4}, 1, 3), MakeVector<int32_t>({1, 2})},
                                    {{"align_corners", true}, {"half_pixel_centers", true}});
  EXPECT_EQ(Values<float>(nearest), (std::vector<float>{1, 6}));
}

TEST(Image, ResizingTakesPlacesInFloat32) {
  const Tensor size = MakeVector<int32_t>({1, 3});
  EXPECT_EQ(Values<float>(RunKernel1("ResizeBilinear", {Image({0, 3}, 1, 2), size}, {{"align_corners", true}})),
            (std::vector<float>{0, 1.5, 3}));
  EXPECT_EQ(Values<float>(RunKernel1("ResizeNearestNeighbor", {Image({0, 3}, 1, 2), size})),
            (std::vector<float>{0, 0, 3}));
  EXPECT_EQ(Values<float>(RunKernel1("ResizeArea", {Image({1, 2, 3, 6}, 1, 4), MakeVector<int32_t>({1, 2})})),
            (std::vector<float>{1.5, 4.5}));
  EXPECT_EQ(Values<float>(RunKernel1("ResizeArea", {Image({3, 7}, 2, 1), MakeVector<int32_t>({2, 2})},
                                     {{"align_corners", true}})),
            (std::vector<float>{3, 3, 7, 7}))
      << "a column alone has no corners to align";
  EXPECT_EQ(CodeOfKernel("ResizeBilinear", {Image({0, 3}, 1, 2), size},
                         {{"align_corners", true}, {"half_pixel_centers", true}}),
            Code::kInvalidArgument);
}

TEST(Image, ACropIsAPartOfTheImage) {
  const Tensor image = MakeTensor<uint8_t>({2, 2, 1}, {1, 2, 3, 4});
  const AttrMap seeded = {{"seed", 5}, {"seed2", 7}};
  EXPECT_EQ(Values<uint8_t>(RunKernel1("RandomCrop", {image, MakeVector<int64_t>({2, 2})}, seeded)),
            (std::vector<uint8_t>{1, 2, 3, 4}));
  const auto row = Values<uint8_t>(RunKernel1("RandomCrop", {image, MakeVector<int64_t>({1, 2})}, seeded));
  EXPECT_TRUE(row == (std::vector<uint8_t>{1, 2}) || row == (std::vector<uint8_t>{3, 4}));
  EXPECT_EQ(CodeOfKernel("RandomCrop", {image, MakeVector<int64_t>({3, 1})}, seeded), Code::kFailedPrecondition);
}

TEST(Image, AGlimpseCountsFromTheCorner) {
  const Tensor image = Image({1, 2, 3, 4, 5, 6}, 2, 3);
  const AttrMap corner = {
      {"centered", false}, {"normalized", false}, {"uniform_noise", false}, {"noise", std::string("zero")}};
  const Tensor offsets = MakeTensor<float>({1, 2}, {1, 2});
  EXPECT_EQ(Values<float>(RunKernel1("ExtractGlimpseV2", {image, MakeVector<int32_t>({2, 2}), offsets}, corner)),
            (std::vector<float>{6, 0, 0, 0}));
  EXPECT_EQ(Values<float>(RunKernel1("ExtractGlimpse", {image, MakeVector<int32_t>({2, 2}), offsets}, corner)),
            (std::vector<float>{2, 3, 5, 6}));
}

TEST(Image, AProjectionSaysWhereAPixelComesFrom) {
  const Tensor image = Image({1, 2, 3, 4, 5, 6}, 2, 3), size = MakeVector<int32_t>({1, 3});
  const Tensor one_right = MakeTensor<float>({1, 8}, {1, 0, 1, 0, 1, 0, 0, 0});
  const AttrMap nearest = {{"interpolation", std::string("NEAREST")}};
  EXPECT_EQ(
      Values<float>(RunKernel1("ImageProjectiveTransformV3", {image, one_right, size, MakeScalar(9.0f)}, nearest)),
      (std::vector<float>{2, 3, 9}));
  const Tensor half_down = MakeTensor<float>({1, 8}, {1, 0, 0, 0, 1, 0.5, 0, 0});
  EXPECT_EQ(Values<float>(RunKernel1("ImageProjectiveTransformV2", {image, half_down, size},
                                     {{"interpolation", std::string("BILINEAR")}})),
            (std::vector<float>{2.5, 3.5, 4.5}));
}

TEST(Image, PartsAreDrawnWordByWord) {
  // The words of the seeds (1, 2) end in …cf, …d3 and …36: the ratio has no choice, the first row is odd, the first
  // column even.
  const AttrMap attrs = {{"seed", int64_t{1}},
                         {"seed2", int64_t{2}},
                         {"aspect_ratio_range", std::vector<float>{1, 1}},
                         {"area_range", std::vector<float>{0.25, 0.25}},
                         {"max_attempts", int64_t{1}}};
  const Tensor size = MakeVector<int32_t>({4, 4, 3}), whole = MakeTensor<float>({1, 1, 4}, {0, 0, 1, 1});
  const std::vector<Tensor> part = RunKernel("SampleDistortedBoundingBox", {size, whole}, attrs);
  EXPECT_EQ(Values<int32_t>(part[0]), (std::vector<int32_t>{1, 0, 0}));
  EXPECT_EQ(Values<int32_t>(part[1]), (std::vector<int32_t>{2, 2, -1}));
  EXPECT_EQ(Values<float>(part[2]), (std::vector<float>{0.25, 0, 0.75, 0.5}));
  const std::vector<Tensor> none = RunKernel("SampleDistortedBoundingBoxV2", {size, whole, MakeScalar(0.5f)}, attrs);
  EXPECT_EQ(Values<int32_t>(none[0]), (std::vector<int32_t>{0, 0, 0}));
  EXPECT_EQ(Values<int32_t>(none[1]), (std::vector<int32_t>{4, 4, -1}));
  EXPECT_EQ(CodeOfKernel("SampleDistortedBoundingBoxV2", {size, whole, MakeScalar(-1.0f)}, attrs),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
