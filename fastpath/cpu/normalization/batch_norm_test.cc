#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;

// Two channels, of which the first holds −1, 1, −1, 1 and the second 2, 6, 2, 6: means 0 and 4, variances 1 and 4.
Tensor Image() { return MakeTensor<float>({1, 2, 2, 2}, {-1, 2, 1, 6, -1, 2, 1, 6}); }

Tensor ImageNchw() { return MakeTensor<float>({1, 2, 2, 2}, {-1, 1, -1, 1, 2, 6, 2, 6}); }
Tensor Pair(float a, float b) { return MakeVector<float>({a, b}); }
Tensor Nothing() { return Tensor(DType::kFloat, {0}); }

TEST(FusedBatchNorm, NormalizesByTheBatchInTraining) {
  const AttrMap attrs = {{"epsilon", 0.0}, {"is_training", true}};
  const auto y = RunKernel("FusedBatchNormV3", {Image(), Pair(1, 10), Pair(0, 5), Nothing(), Nothing()}, attrs);
  EXPECT_EQ(Values<float>(y[0]), Floats({-1, -5, 1, 15, -1, -5, 1, 15}));
  EXPECT_EQ(Values<float>(y[1]), Floats({0, 4}));
  EXPECT_EQ(Values<float>(y[2]), Floats({1.0f * (4.0f / 3), 4.0f * (4.0f / 3)}));  // Bessel's correction
  EXPECT_EQ(Values<float>(y[3]), Floats({0, 4}));
  EXPECT_EQ(Values<float>(y[4]), Floats({1, 4}));
  AttrMap nchw = attrs;
  nchw["data_format"] = "NCHW";
  const auto z = RunKernel("FusedBatchNorm", {ImageNchw(), Pair(1, 10), Pair(0, 5), Nothing(), Nothing()}, nchw);
  EXPECT_EQ(Values<float>(z[0]), Floats({-1, 1, -1, 1, -5, 15, -5, 15}));
}

TEST(FusedBatchNorm, MovesTheOldStatistics) {
  const AttrMap attrs = {{"epsilon", 0.0}, {"is_training", true}, {"exponential_avg_factor", 0.5}};
  const auto y = RunKernel("FusedBatchNormV2", {Image(), Pair(1, 1), Pair(0, 0), Pair(2, 2), Pair(0, 0)}, attrs);
  EXPECT_EQ(Values<float>(y[1]), Floats({1, 3}));
  EXPECT_EQ(Values<float>(y[3]), Floats({0, 4}));
}

TEST(FusedBatchNorm, UsesGivenStatisticsOtherwise) {
  const AttrMap attrs = {{"epsilon", 1.0}, {"is_training", false}};
  const auto y = RunKernel("FusedBatchNormV3", {Image(), Pair(2, 1), Pair(0, 1), Pair(1, 2), Pair(3, 0)}, attrs);
  EXPECT_EQ(Values<float>(y[0]), Floats({-2, 1, 0, 5, -2, 1, 0, 5}));
  EXPECT_EQ(Values<float>(y[2]), Floats({3, 0}));
  for (const int reserved : {3, 4}) EXPECT_EQ(Values<float>(y[reserved]), Floats({0, 0})) << "of use in training only";
}

TEST(FusedBatchNorm, ABatchOfNothingHasNoStatistics) {
  const AttrMap attrs = {{"epsilon", 1.0}, {"is_training", false}};
  const Tensor nothing = Zeros(DType::kFloat, {0, 2, 2, 2});
  const auto y = RunKernel("FusedBatchNormV3", {nothing, Pair(2, 1), Pair(0, 1), Pair(1, 2), Pair(3, 0)}, attrs);
  for (const int output : {1, 2}) {
    for (const float x : Values<float>(y[output])) EXPECT_TRUE(std::isnan(x));
  }
  EXPECT_EQ(y[5].shape(), Shape());
}

// As TensorFlow answers: of the first channel variance + epsilon is zero.
TEST(FusedBatchNorm, GradientsDivideByZeroLast) {
  const Tensor dy = MakeTensor<float>({1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const Tensor x = MakeTensor<float>({1, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  const auto gradient = [&](const Tensor& image, bool training) {
    return RunKernel("FusedBatchNormGradV3", {dy, image, Pair(1, 2), Pair(3, 4), Pair(0, 1), Nothing()},
                     {{"epsilon", 0.0}, {"is_training", training}});
  };
  const float inf = INFINITY;
  const auto trained = gradient(x, true);
  EXPECT_EQ(Values<float>(trained[0]), Floats({inf, 24, inf, 8, -inf, -8, -inf, -24}));
  EXPECT_TRUE(std::isnan(Values<float>(trained[1])[0]));
  EXPECT_EQ(Values<float>(trained[1])[1], 20);
  const auto given = gradient(x, false);
  EXPECT_EQ(Values<float>(given[0]), Floats({inf, 4, inf, 8, inf, 12, inf, 16}));
  EXPECT_EQ(Values<float>(given[1]), Floats({inf, 20}));
  const Tensor same = MakeTensor<float>({1, 2, 2, 2}, {3, 4, 3, 4, 3, 4, 3, 4});
  EXPECT_TRUE(std::isnan(Values<float>(gradient(same, true)[0])[0])) << "0/0";
}

TEST(FusedBatchNorm, RefusesWhatDoesNotFit) {
  const AttrMap inference = {{"is_training", false}};
  const auto code = [&](const Tensor& x, const Tensor& scale, const Tensor& mean) {
    return CodeOfKernel("FusedBatchNorm", {x, scale, Pair(0, 0), mean, Pair(1, 1)}, inference);
  };
  EXPECT_EQ(code(Image(), Pair(1, 1), Pair(0, 0)), Code::kOk);
  EXPECT_EQ(code(Zeros(DType::kFloat, {2, 2}), Pair(1, 1), Pair(0, 0)), Code::kInvalidArgument);
  EXPECT_EQ(code(Image(), Zeros(DType::kFloat, {3}), Pair(0, 0)), Code::kInvalidArgument);
  EXPECT_EQ(code(Image(), Pair(1, 1), Nothing()), Code::kInvalidArgument);
  const AttrMap training = {{"is_training", true}};
  EXPECT_EQ(
      CodeOfKernel("FusedBatchNorm", {Image(), Pair(1, 1), Pair(0, 0), Zeros(DType::kFloat, {}), Nothing()}, training),
      Code::kInvalidArgument);
}

// Each product is with x normalized: the sums themselves leave the range of float32 here, of which nothing shows.
TEST(FusedBatchNormGrad, StaysInRangeWhereTheResultDoes) {
  const Tensor x = MakeTensor<float>({2, 1, 1, 2}, {3e38F, 5, 3e38F, 5}),
               dy = MakeTensor<float>({2, 1, 1, 2}, {1, 3e30F, 2, 3e30F});
  for (const bool training : {true, false}) {
    const auto d = RunKernel("FusedBatchNormGrad", {dy, x, Pair(1, 1), Pair(0, 5), Pair(INFINITY, 1e-30F)},
                             {{"is_training", training}, {"epsilon", 0.0}});
    EXPECT_EQ(Values<float>(d[1]), Floats({0, 0})) << "dscale";
    EXPECT_EQ(Values<float>(d[0])[0], 0);
    if (training) {
      EXPECT_EQ(Values<float>(d[0])[1], 0) << "what all gradients share has no effect";
    }
  }
}

TEST(FusedBatchNormGrad, RemovesWhatTheStatisticsAbsorb) {
  // dy = x: its component along the mean and along x itself vanish. dscale = Σ x·x̂, doffset = Σ x.
  const AttrMap training = {{"epsilon", 0.0}, {"is_training", true}};
  const auto d = RunKernel("FusedBatchNormGradV2", {Image(), Image(), Pair(1, 1), Pair(0, 4), Pair(1, 4)}, training);
  EXPECT_EQ(Values<float>(d[0]), Floats(8, 0));
  EXPECT_EQ(Values<float>(d[1]), Floats({4, 8}));
  EXPECT_EQ(Values<float>(d[2]), Floats({0, 16}));
  EXPECT_EQ(d[3].elements(), 0);
  AttrMap nchw = training;
  nchw["data_format"] = "NCHW";
  const auto e = RunKernel("FusedBatchNormGrad", {ImageNchw(), ImageNchw(), Pair(1, 1), Pair(0, 4), Pair(1, 4)}, nchw);
  EXPECT_EQ(Values<float>(e[1]), Floats({4, 8}));
  const AttrMap inference = {{"epsilon", 0.0}, {"is_training", false}};
  const auto f = RunKernel("FusedBatchNormGrad", {Image(), Image(), Pair(2, 4), Pair(0, 4), Pair(1, 4)}, inference);
  EXPECT_EQ(Values<float>(f[0]), Floats({-2, 4, 2, 12, -2, 4, 2, 12}));
  EXPECT_EQ(CodeOfKernel("FusedBatchNormGrad",
                         {Zeros(DType::kFloat, {1, 2, 1, 2}), Image(), Pair(1, 1), Pair(0, 4), Pair(1, 4)}),
            Code::kInvalidArgument);
}

TEST(Normalization, DoesNotDependOnTheNumberOfThreads) {
  Tensor x(DType::kFloat, {8, 30, 31, 19});
  for (int64_t i = 0; i < x.elements(); ++i) x.mutable_data<float>()[i] = static_cast<float>(i * 7919 % 1009) / 13;
  const Tensor c = Zeros(DType::kFloat, {19}), n = Zeros(DType::kFloat, {30}), one = MakeVector<float>({0});
  const auto expect_same = [&](const char* op, const std::vector<Tensor>& inputs, const AttrMap& attrs) {
    const auto a = RunKernel(op, inputs, attrs, 1), b = RunKernel(op, inputs, attrs, 3);
    for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].BitwiseEquals(b[i])) << op << " output " << i;
  };
  expect_same("FusedBatchNormV3", {x, c, c, Nothing(), Nothing()}, {});
  expect_same("FusedBatchNormV3", {x, n, n, Nothing(), Nothing()}, {{"data_format", "NCHW"}});
  expect_same("FusedBatchNormGradV3", {x, x, c, c, c, one}, {});
  expect_same("FusedBatchNormGradV3", {x, x, n, n, n, one}, {{"data_format", "NCHW"}});
  expect_same("LRN", {x}, {});
  expect_same("LRNGrad", {x, x, x}, {});
  expect_same("BiasAdd", {x, c}, {});
  expect_same("BiasAddGrad", {x}, {});
}

// Small integers, of which neighbouring channels and pixels have different ones.
Tensor Digits(const Shape& shape, int64_t factor) {
  Tensor x(DType::kFloat, shape);
  for (int64_t i = 0; i < x.elements(); ++i) {
    x.mutable_data<float>()[static_cast<size_t>(i)] = static_cast<float>((i * factor + i / 17) % 11 - 5);
  }
  return x;
}

// With means of 0 and variances of 1 the sums are those of dy·x and of dy, exactly.
void ExpectExactSums(int64_t outer, int64_t channels, int64_t inner) {
  const bool nchw = inner > 1;
  const Shape shape = nchw ? Shape{outer, channels, 1, inner} : Shape{1, outer, 1, channels};
  const Tensor dy = Digits(shape, 7), x = Digits(shape, 3);
  Tensor ones(DType::kFloat, {channels});
  for (float& one : ones.mutable_data<float>()) one = 1;
  const AttrMap attrs = {{"epsilon", 0.0}, {"is_training", false}, {"data_format", nchw ? "NCHW" : "NHWC"}};
  const auto sums = RunKernel("FusedBatchNormGrad", {dy, x, ones, Zeros(DType::kFloat, {channels}), ones}, attrs, 2);
  Floats scale(static_cast<size_t>(channels)), offset(static_cast<size_t>(channels));
  for (int64_t i = 0; i < dy.elements(); ++i) {
    const auto c = static_cast<size_t>(i / inner % channels), at = static_cast<size_t>(i);
    scale[c] += dy.data<float>()[at] * x.data<float>()[at];
    offset[c] += dy.data<float>()[at];
  }
  EXPECT_TRUE(sums[0].BitwiseEquals(dy)) << channels << " channels, runs of " << inner;
  EXPECT_EQ(Values<float>(sums[1]), scale) << channels << " channels, runs of " << inner;
  EXPECT_EQ(Values<float>(sums[2]), offset) << channels << " channels, runs of " << inner;
}

TEST(FusedBatchNormGrad, SumsChannelsAndRunsOfEveryLength) {
  for (int64_t n = 1; n <= 67; ++n) {
    ExpectExactSums(3, n, 1);
    ExpectExactSums(2, 3, n);
  }
}

// One part, several that are worth a chunk, and the most parts that there are, each longer than a chunk.
TEST(FusedBatchNormGrad, SumsInPartsAreExact) {
  for (const int64_t outer : {32767, 32768, 32769, 200000, 2097152, 2097153}) ExpectExactSums(outer, 2, 1);
}

}  // namespace
}  // namespace plumb::fast::cpu
