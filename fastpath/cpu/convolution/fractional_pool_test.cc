#include <gtest/gtest.h>

#include <numeric>

#include "fastpath/cpu/convolution/fractional_cuts.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;

TEST(FractionalPool, CellsDifferByOneAtMost) {
  for (const bool regular : {false, true}) {
    for (int64_t output = 1; output <= 10; ++output) {
      const std::vector<int64_t> cuts = DrawCuts(10, output, regular, Philox(7, static_cast<uint64_t>(output)));
      ASSERT_EQ(cuts.size(), static_cast<size_t>(output) + 1);
      EXPECT_EQ(cuts.front(), 0);
      EXPECT_EQ(cuts.back(), 10);
      for (size_t i = 0; i + 1 < cuts.size(); ++i) {
        EXPECT_GE(cuts[i + 1] - cuts[i], 10 / output);
        EXPECT_LE(cuts[i + 1] - cuts[i], 10 / output + 1);
      }
    }
  }
}

TEST(FractionalPool, GradientsFollowTheGivenCells) {
  const Tensor x = MakeTensor<float>({1, 1, 3, 1}, {4, 4, 1}), y = MakeTensor<float>({1, 1, 2, 1}, {4, 4});
  const Tensor dy = MakeTensor<float>({1, 1, 2, 1}, {6, 2});
  const Tensor rows = MakeVector<int64_t>({0, 1}), columns = MakeVector<int64_t>({0, 1, 3});
  const auto max = [&](bool overlapping) {
    return Values<float>(
        RunKernel1("FractionalMaxPoolGrad", {x, y, dy, rows, columns}, {{"overlapping", overlapping}}));
  };
  EXPECT_EQ(max(false), Floats({6, 2, 0}));
  EXPECT_EQ(max(true), Floats({6, 2, 0}));
  const Tensor other = MakeTensor<float>({1, 1, 2, 1}, {4, 1});
  EXPECT_EQ(CodeOfKernel("FractionalMaxPoolGrad", {x, other, dy, rows, columns}, {{"overlapping", false}}),
            Code::kInvalidArgument)
      << "the pooled images are others";
  const Tensor shape = MakeVector<int64_t>({1, 1, 3, 1});
  const auto mean = [&](bool overlapping) {
    return Values<float>(
        RunKernel1("FractionalAvgPoolGrad", {shape, dy, rows, columns}, {{"overlapping", overlapping}}));
  };
  EXPECT_EQ(mean(false), Floats({6, 1, 1}));
  EXPECT_EQ(mean(true), Floats({3, 4, 1}));
}

// As TensorFlow answers: what no gradient is given for stays zero.
TEST(FractionalPool, GradientsMayBeOfTheFirstImagesAndChannelsAlone) {
  const Tensor shape = MakeVector<int64_t>({2, 1, 2, 3}), rows = MakeVector<int64_t>({0, 1});
  const Tensor columns = MakeTensor<int64_t>({1, 3}, {0, 2, 9}), dy = MakeTensor<float>({1, 1, 1, 2}, {6, 2});
  EXPECT_EQ(Values<float>(RunKernel1("FractionalAvgPoolGrad", {shape, dy, rows, columns}, {{"overlapping", false}})),
            Floats({3, 1, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0}));
  const Tensor x = MakeTensor<float>({2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}),
               one = MakeTensor<float>({1, 1, 1, 1}, {3});
  const Tensor longer = MakeVector<int64_t>({0, 2, 0});
  EXPECT_EQ(Values<float>(RunKernel1("FractionalMaxPoolGrad", {x, one, one, rows, longer}, {{"overlapping", false}})),
            Floats({0, 0, 3, 0, 0, 0, 0, 0}));
  const Tensor none = Tensor(DType::kFloat, {0, 1, 1, 2}), two = MakeTensor<float>({2, 1, 1, 1}, {6, 2});
  for (const Tensor& wrong : {none, two}) {
    const Tensor image = MakeVector<int64_t>({1, 1, 2, 1});
    EXPECT_EQ(CodeOfKernel("FractionalAvgPoolGrad", {image, wrong, rows, columns}, {{"overlapping", false}}),
              Code::kInvalidArgument);
  }
}

TEST(FractionalPool, RefusesSequencesThatDoNotFit) {
  const Tensor shape = MakeVector<int64_t>({1, 1, 3, 1}), dy = MakeTensor<float>({1, 1, 2, 1}, {6, 2});
  const Tensor rows = MakeVector<int64_t>({0, 1});
  const auto code = [&](const Tensor& columns) {
    return CodeOfKernel("FractionalAvgPoolGrad", {shape, dy, rows, columns}, {{"overlapping", false}});
  };
  EXPECT_EQ(code(MakeVector<int64_t>({0, 1, 3})), Code::kOk);
  EXPECT_EQ(code(MakeVector<int64_t>({0, 3})), Code::kInvalidArgument);
  EXPECT_EQ(code(MakeVector<int64_t>({0, -1, 3})), Code::kInvalidArgument);
  const Tensor x = MakeTensor<float>({1, 1, 3, 1}, {4, 4, 1});
  EXPECT_EQ(CodeOfKernel("FractionalMaxPoolGrad", {x, dy, dy, rows, MakeVector<int64_t>({0, 3, 3})},
                         {{"overlapping", false}}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
