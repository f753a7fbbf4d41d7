#include <gmock/gmock.h>

#include <cmath>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

TEST(Normalization, BiasRunsAlongTheChannels) {
  const Value x = MakeTensor<float>({1, 2, 2}, {1, 2, 3, 4}), bias = Vector({10, 20});
  EXPECT_THAT(Floats(KernelCall{"BiasAdd", {x, bias}}()), ElementsAre(11, 22, 13, 24));
  EXPECT_THAT(Floats(KernelCall{"BiasAddV1", {x, bias}}()), ElementsAre(11, 22, 13, 24));
  EXPECT_THAT(Floats(KernelCall{"BiasAdd", {x, bias}, {{"data_format", "NCHW"}}}()), ElementsAre(11, 12, 23, 24));
  EXPECT_THAT(Floats(KernelCall{"BiasAddGrad", {x}}()), ElementsAre(4, 6));
  EXPECT_EQ((KernelCall{"BiasAdd", {x, Vector({1})}}.Fails()), Code::kInvalidArgument);
}

TEST(Normalization, LrnDividesByItsNeighbours) {
  const AttrMap attrs = {{"depth_radius", 1}, {"bias", 1.0f}, {"alpha", 1.0f}, {"beta", 1.0f}};
  AttrMap wide = attrs;
  wide["depth_radius"] = int64_t{1} << 40;
  EXPECT_EQ((KernelCall{"LRN", {MakeTensor<float>({1, 1, 1, 3}, {1, 1, 3})}, wide}.Fails()), Code::kInvalidArgument);
  const Value y = KernelCall{"LRN", {MakeTensor<float>({1, 1, 1, 3}, {1, 1, 3})}, attrs}();
  EXPECT_THAT(Floats(y), ElementsAre(1.0f / 3, 1.0f / 12, 3.0f / 11));
}

// Squares are summed by a product with ones and zeros.
TEST(Normalization, LrnIsNoNumberBesideASquareThatIsNotFinite) {
  const AttrMap attrs = {{"depth_radius", 1}, {"bias", 1.0f}, {"alpha", 1.0f}, {"beta", 1.0f}};
  for (const float large : {1e30F, INFINITY}) {
    const Value y = KernelCall{"LRN", {MakeTensor<float>({2, 1, 1, 3}, {large, 1, 1, 1, 0, 0})}, attrs}();
    EXPECT_EQ(Floats(y)[1], 0);
    EXPECT_TRUE(std::isnan(Floats(y)[2]));
    EXPECT_EQ(Floats(y)[3], 0.5F);
  }
}

TEST(Normalization, AGradientOfZeroAddsNothingToLrns) {
  const AttrMap attrs = {{"depth_radius", 1}, {"bias", 1.0f}, {"alpha", 1.0f}, {"beta", 1.0f}};
  const auto pixel = [](float a, float b) { return MakeTensor<float>({1, 1, 1, 2}, {a, b}); };
  const Value dx = KernelCall{"LRNGrad", {pixel(0, 1), pixel(1, 2), pixel(-INFINITY, 1)}, attrs}();
  for (const float number : Floats(dx)) EXPECT_TRUE(std::isfinite(number));
}

TEST(Normalization, BatchStatisticsCarryBesselsCorrectionOut) {
  const std::vector<DType> floats(5, DType::kFloat);
  const AttrMap attrs = {{"epsilon", 0.0f}, {"is_training", true}};
  const Value x = MakeTensor<float>({1, 2, 2, 1}, {1, 3, 1, 3});
  const auto out =
      KernelCall{"FusedBatchNorm", {x, Vector({2}), Vector({5}), Vector({}), Vector({})}, attrs, floats}.Run();
  EXPECT_THAT(Floats(out[0]), ElementsAre(3, 7, 3, 7));
  EXPECT_THAT(Floats(out[1]), ElementsAre(2));
  EXPECT_THAT(Floats(out[2]), ElementsAre(4.0f / 3));
  EXPECT_THAT(Floats(out[4]), ElementsAre(1));
}

TEST(Normalization, ABatchOfNothingHasNoStatistics) {
  const std::vector<DType> floats(6, DType::kFloat);
  const AttrMap attrs = {{"epsilon", 1.0f}, {"is_training", false}};
  const Value x = MakeTensor<float>({0, 2, 2, 1}, {}), one = Vector({1});
  const auto out = KernelCall{"FusedBatchNormV3", {x, one, one, one, one}, attrs, floats}.Run();
  EXPECT_TRUE(std::isnan(Floats(out[1])[0]) && std::isnan(Floats(out[2])[0]));
  EXPECT_EQ(out[5].tensor.shape(), Shape());
  const Value image = MakeTensor<float>({1, 1, 1, 1}, {3});
  const auto served = KernelCall{"FusedBatchNormV3", {image, one, one, one, one}, attrs, floats}.Run();
  EXPECT_THAT(Floats(served[1]), ElementsAre(1));
  EXPECT_THAT(Floats(served[3]), ElementsAre(0)) << "what is reserved is of use in training only";
  EXPECT_EQ((KernelCall{"FusedBatchNorm", {x, one, one, x, one}, {{"is_training", true}}, floats}.Fails()),
            Code::kInvalidArgument);
}

TEST(Normalization, BatchGradientOfAConstantIsZero) {
  const std::vector<DType> floats(5, DType::kFloat);
  const AttrMap attrs = {{"epsilon", 0.0f}, {"is_training", true}};
  const Value ones = MakeTensor<float>({1, 2, 2, 1}, {1, 1, 1, 1}), x = MakeTensor<float>({1, 2, 2, 1}, {1, 3, 1, 3});
  const auto out =
      KernelCall{"FusedBatchNormGrad", {ones, x, Vector({2}), Vector({2}), Vector({1})}, attrs, floats}.Run();
  EXPECT_THAT(Floats(out[0]), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(Floats(out[2]), ElementsAre(4));
}

}  // namespace
}  // namespace plumb::reference
