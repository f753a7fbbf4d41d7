// Activations, losses and normalizations.
#include <gmock/gmock.h>

#include <cmath>

#include "reference/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

TEST(Activation, ReluPropagatesNan) {
  const auto y = Floats(KernelCall{"Relu", {Vector({-1, 0, 2, NAN})}}());
  EXPECT_EQ(y[0], 0);
  EXPECT_EQ(y[2], 2);
  EXPECT_TRUE(std::isnan(y[3]));
  EXPECT_THAT(Floats(KernelCall{"ReluGrad", {Vector({5, 5, 5}), Vector({-1, 0, 2})}}()), ElementsAre(0, 0, 5));
}

TEST(Activation, AGradientThatMayFlipIsBoundedByItsSize) {
  const Value dy = KernelCall{"ReluGrad", {Vector({5}), WithBound(Vector({0.1f}), {0.2})}}();
  EXPECT_GE(Bounds(dy)[0], 5);
}

TEST(Activation, SoftmaxOfEqualLogitsIsUniform) {
  const KernelCall call{
      .op = "Softmax", .inputs = {MakeTensor<float>({1, 4}, {1000, 1000, 1000, 1000})}, .accuracy = Composed(2)};
  EXPECT_THAT(Floats(call()), ElementsAre(0.25f, 0.25f, 0.25f, 0.25f));
}

TEST(Activation, SoftmaxOfInfinitiesIsNan) {
  for (const float x : {INFINITY, -INFINITY}) {
    for (const float y : Floats(KernelCall{"Softmax", {MakeTensor<float>({1, 2}, {x, -INFINITY})}}())) {
      EXPECT_TRUE(std::isnan(y));
    }
  }
}

// The same formula in float, step by step, on moved logits.
TEST(Activation, FloatSoftmaxLiesWithinTheBound) {
  const Value logits = WithBound(MakeTensor<float>({1, 3}, {1.5f, -0.25f, 3.1f}), {1e-4, 1e-4, 1e-4});
  const Value y = KernelCall{.op = "Softmax", .inputs = {logits}, .accuracy = Composed(2)}();
  const float x[] = {1.50009f, -0.25009f, 3.10009f};
  const float e[] = {std::exp(x[0] - x[2]), std::exp(x[1] - x[2]), 1};
  for (int i = 0; i < 3; ++i) EXPECT_LE(std::fabs(double{e[i] / (e[0] + e[1] + e[2])} - Floats(y)[i]), Bounds(y)[i]);
}

TEST(Loss, SparseAndDenseCrossEntropyAgree) {
  const Value logits = MakeTensor<float>({2, 2}, {0, 0, 3, 1});
  const auto dense = KernelCall{
      "SoftmaxCrossEntropyWithLogits",
      {logits, MakeTensor<float>({2, 2}, {0, 1, 1, 0})},
      {},
      {DType::kFloat,
       DType::kFloat}}.Run();
  const auto sparse =
      KernelCall{"SparseSoftmaxCrossEntropyWithLogits", {logits, Ints({1, 0})}, {}, {DType::kFloat, DType::kFloat}}
          .Run();
  EXPECT_EQ(Floats(dense[0]), Floats(sparse[0]));
  EXPECT_EQ(Floats(dense[1]), Floats(sparse[1]));
  EXPECT_EQ(Floats(sparse[0])[0], std::log(2.0f));
  EXPECT_EQ(Floats(sparse[1])[1], -0.5f);
}

TEST(Loss, LabelsOutsideTheClassesAreRefused) {
  for (const int label : {-1, 2}) {
    const KernelCall call{"SparseSoftmaxCrossEntropyWithLogits",
                          {MakeTensor<float>({1, 2}, {0, 1}), Ints({label})},
                          {},
                          {DType::kFloat, DType::kFloat}};
    EXPECT_EQ(call.Fails(), Code::kInvalidArgument) << label;
  }
}

TEST(Loss, L2IsHalfTheSumOfSquares) {
  EXPECT_THAT(Floats(KernelCall{"L2Loss", {Vector({3, 4})}}()), ElementsAre(12.5));
}

TEST(Normalization, BiasRunsAlongTheChannels) {
  const Value x = MakeTensor<float>({1, 2, 2}, {1, 2, 3, 4}), bias = Vector({10, 20});
  EXPECT_THAT(Floats(KernelCall{"BiasAdd", {x, bias}}()), ElementsAre(11, 22, 13, 24));
  EXPECT_THAT(Floats(KernelCall{"BiasAdd", {x, bias}, {{"data_format", "NCHW"}}}()), ElementsAre(11, 12, 23, 24));
  EXPECT_THAT(Floats(KernelCall{"BiasAddGrad", {x}}()), ElementsAre(4, 6));
  EXPECT_EQ((KernelCall{"BiasAdd", {x, Vector({1})}}.Fails()), Code::kInvalidArgument);
}

TEST(Normalization, LrnDividesByItsNeighbours) {
  const AttrMap attrs = {{"depth_radius", 1}, {"bias", 1.0f}, {"alpha", 1.0f}, {"beta", 1.0f}};
  const Value y = KernelCall{"LRN", {MakeTensor<float>({1, 1, 1, 3}, {1, 1, 3})}, attrs}();
  EXPECT_THAT(Floats(y), ElementsAre(1.0f / 3, 1.0f / 12, 3.0f / 11));
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
