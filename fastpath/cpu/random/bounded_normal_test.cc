#include <gmock/gmock.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

std::vector<Tensor> Inputs(std::initializer_list<int32_t> shape, float mean, float deviation, float min, float max) {
  return {MakeVector<int32_t>(shape), MakeScalar<float>(mean), MakeScalar<float>(deviation), MakeScalar<float>(min),
          MakeScalar<float>(max)};
}
const AttrMap kSeeds = {{"seed", int64_t{7}}, {"seed2", int64_t{3}}};

// What TensorFlow 2.12.1 answers.
TEST(ParameterizedTruncatedNormal, DrawsTensorFlowsNumbers) {
  const auto run = [](float min, float max) {
    return Values<float>(RunKernel1("ParameterizedTruncatedNormal", Inputs({3}, 0, 1, min, max), kSeeds));
  };
  EXPECT_THAT(run(-2, 2), ElementsAre(FloatEq(0.9447038F), FloatEq(-0.9667907F), FloatEq(0.80517167F)));
  EXPECT_THAT(run(0.5F, 1.5F), ElementsAre(FloatEq(0.9010879F), FloatEq(0.8768389F), FloatEq(0.8092928F)));
  EXPECT_THAT(run(3, INFINITY), ElementsAre(FloatEq(3.2766082F), FloatEq(3.355297F), FloatEq(3.088699F)));
  EXPECT_THAT(run(-INFINITY, -3), ElementsAre(FloatEq(-3.2766082F), FloatEq(-3.355297F), FloatEq(-3.088699F)));
}

TEST(ParameterizedTruncatedNormal, GivesEachRowItsParameters) {
  const Tensor rows = RunKernel1("ParameterizedTruncatedNormal",
                                 {MakeVector<int32_t>({2, 2}), MakeVector<float>({0, 100}), MakeScalar<float>(1),
                                  MakeVector<float>({-1, 95}), MakeVector<float>({3, 105})},
                                 kSeeds);
  EXPECT_THAT(Values<float>(rows),
              ElementsAre(FloatEq(0.9447038F), FloatEq(-0.9667907F), FloatEq(100.214905F), FloatEq(99.26534F)));
}

TEST(ParameterizedTruncatedNormal, RefusesWhatBoundsNothing) {
  const auto code = [](std::vector<Tensor> inputs) {
    return CodeOfKernel("ParameterizedTruncatedNormal", std::move(inputs), kSeeds);
  };
  EXPECT_EQ(code(Inputs({}, 0, 1, -1, 1)), Code::kInvalidArgument);
  EXPECT_EQ(code(Inputs({2}, 0, 0, -1, 1)), Code::kInvalidArgument);
  EXPECT_EQ(code(Inputs({2}, 0, 1, 1, 1)), Code::kInvalidArgument);
  EXPECT_EQ(code(Inputs({2}, 0, 1, -INFINITY, INFINITY)), Code::kInvalidArgument);
  EXPECT_EQ(code(Inputs({2}, INFINITY, 1, -1, 1)), Code::kInternal);
  EXPECT_EQ(code(Inputs({0, 2}, 0, -1, -1, 1)), Code::kOk);
}

std::vector<Tensor> Seeded(std::initializer_list<int32_t> shape, Tensor mean, float deviation, Tensor min, Tensor max) {
  return {MakeVector<int32_t>(shape),
          MakeVector<int64_t>({7, 3}),
          std::move(mean),
          MakeScalar<float>(deviation),
          std::move(min),
          std::move(max)};
}
Tensor One(float x) { return MakeScalar<float>(x); }

// What TensorFlow 2.12.1 answers.
TEST(StatelessParameterizedTruncatedNormal, DrawsTensorFlowsNumbers) {
  const auto run = [](float min, float max) {
    return Values<float>(
        RunKernel1("StatelessParameterizedTruncatedNormal", Seeded({3}, One(0), 1, One(min), One(max))));
  };
  EXPECT_THAT(run(-2, 2), ElementsAre(FloatEq(0.11677843F), FloatEq(-0.15197691F), FloatEq(-0.7992914F)));
  EXPECT_THAT(run(0.5F, 1.5F), ElementsAre(FloatEq(0.8957263F), FloatEq(1.2712573F), FloatEq(1.3606433F)));
  EXPECT_THAT(run(3, INFINITY), ElementsAre(FloatEq(3.005561F), FloatEq(3.0984628F), FloatEq(3.1164553F)));
}

// Samples of one batch lie a row apart.
TEST(StatelessParameterizedTruncatedNormal, GivesEachColumnItsParameters) {
  const Tensor rows = RunKernel1(
      "StatelessParameterizedTruncatedNormal",
      Seeded({2, 2}, MakeVector<float>({0, 100}), 1, MakeVector<float>({-1, 95}), MakeVector<float>({3, 105})));
  EXPECT_THAT(Values<float>(rows),
              ElementsAre(FloatEq(0.11677843F), FloatEq(100.8352F), FloatEq(-0.15197691F), FloatEq(100.26778F)));
}

TEST(StatelessParameterizedTruncatedNormal, RefusesParametersThatDoNotFit) {
  const auto code = [](std::initializer_list<int32_t> shape, Tensor mean, float deviation) {
    return CodeOfKernel("StatelessParameterizedTruncatedNormal",
                        Seeded(shape, std::move(mean), deviation, One(-1), One(1)));
  };
  EXPECT_EQ(code({3, 2}, MakeVector<float>({0, 1, 2}), 1), Code::kInvalidArgument);
  EXPECT_EQ(code({2}, One(0), 0), Code::kInvalidArgument);
  EXPECT_EQ(code({0, 3}, One(0), 0), Code::kOk);
  EXPECT_EQ(code({2}, One(INFINITY), 1), Code::kInternal);
}

}  // namespace
}  // namespace plumb::fast::cpu
