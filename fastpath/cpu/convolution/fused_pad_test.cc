#include <gmock/gmock.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

Tensor Paddings(int32_t top, int32_t bottom, int32_t left, int32_t right) {
  return MakeTensor<int32_t>({4, 2}, {0, 0, top, bottom, left, right, 0, 0});
}
Tensor Counted(int64_t height, int64_t width) {
  Tensor image(DType::kFloat, {1, height, width, 1});
  float next = 0;
  for (float& pixel : image.mutable_data<float>()) pixel = next++;
  return image;
}
Tensor Ones(int64_t height, int64_t width) {
  Tensor filter(DType::kFloat, {height, width, 1, 1});
  for (float& weight : filter.mutable_data<float>()) weight = 1;
  return filter;
}
AttrMap Attrs(const char* mode, int64_t stride, const char* padding) {
  return {{"mode", std::string(mode)},
          {"strides", std::vector<int64_t>{1, stride, stride, 1}},
          {"padding", std::string(padding)}};
}

TEST(FusedPadConv2D, Mirrors) {
  const auto run = [](const char* mode) {
    return Values<float>(
        RunKernel1("FusedPadConv2D", {Counted(2, 3), Paddings(0, 1, 2, 0), Ones(1, 1)}, Attrs(mode, 1, "VALID")));
  };
  EXPECT_THAT(run("REFLECT"), ElementsAre(2, 1, 0, 1, 2, 5, 4, 3, 4, 5, 2, 1, 0, 1, 2));
  EXPECT_THAT(run("SYMMETRIC"), ElementsAre(1, 0, 0, 1, 2, 4, 3, 3, 4, 5, 4, 3, 3, 4, 5));
}

// What TensorFlow 2.12.1 answers: windows stand in the middle.
TEST(FusedPadConv2D, MovesWindowsToTheMiddle) {
  const auto run = [](const Tensor& image, int64_t stride, const char* padding) {
    return Values<float>(
        RunKernel1("FusedPadConv2D", {image, Paddings(0, 0, 0, 0), Ones(1, 1)}, Attrs("REFLECT", stride, padding)));
  };
  EXPECT_THAT(run(Counted(4, 4), 4, "VALID"), ElementsAre(5));
  EXPECT_THAT(run(Counted(6, 6), 3, "SAME"), ElementsAre(7, 10, 25, 28));
  EXPECT_THAT(run(Counted(6, 6), 3, "VALID"), ElementsAre(0, 3, 18, 21));
}

TEST(FusedPadConv2D, SeesZerosAroundTheMirrorImage) {
  const Tensor sums =
      RunKernel1("FusedPadConv2D", {Counted(2, 2), Paddings(1, 0, 0, 0), Ones(2, 2)}, Attrs("REFLECT", 1, "SAME"));
  EXPECT_THAT(Values<float>(sums), ElementsAre(6, 4, 6, 4, 5, 3));
}

TEST(FusedResizeAndPadConv2D, ResizesFirst) {
  const auto run = [](bool aligns) {
    AttrMap attrs = Attrs("REFLECT", 1, "VALID");
    attrs.insert_or_assign("resize_align_corners", aligns);
    return Values<float>(RunKernel1("FusedResizeAndPadConv2D",
                                    {Counted(1, 2), MakeVector<int32_t>({1, 4}), Paddings(0, 0, 1, 0), Ones(1, 1)},
                                    attrs));
  };
  EXPECT_THAT(run(false), ElementsAre(0.5F, 0, 0.5F, 1, 1));
  EXPECT_THAT(run(true), ElementsAre(FloatEq(1 / 3.0F), 0, FloatEq(1 / 3.0F), FloatEq(2 / 3.0F), 1));
}

TEST(FusedPadConv2D, RefusesWhatDoesNotFit) {
  const auto code = [](const Tensor& image, const Tensor& paddings, const Tensor& filter, int64_t stride) {
    return CodeOfKernel("FusedPadConv2D", {image, paddings, filter}, Attrs("REFLECT", stride, "VALID"));
  };
  const Tensor none = Paddings(0, 0, 0, 0);
  EXPECT_EQ(code(Counted(4, 4), Paddings(3, 3, 0, 0), Ones(1, 1), 1), Code::kOk);
  EXPECT_EQ(code(Counted(4, 4), Paddings(4, 0, 0, 0), Ones(1, 1), 1), Code::kInvalidArgument);
  EXPECT_EQ(code(Counted(4, 4), Paddings(0, -1, 0, 0), Ones(1, 1), 1), Code::kInvalidArgument);
  EXPECT_EQ(code(Counted(0, 4), none, Ones(1, 1), 1), Code::kInvalidArgument);
  EXPECT_EQ(code(Counted(4, 4), none, Ones(5, 1), 1), Code::kInvalidArgument);
  EXPECT_EQ(code(Counted(4, 4), none, Ones(1, 1), 0), Code::kInvalidArgument);
  EXPECT_EQ(code(Counted(4, 4), MakeTensor<int32_t>({4, 2}, {0, 0, 0, 0, 0, 0, 0, 1}), Ones(1, 1), 1),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
