#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reference/kernel/kernel_testing.h"
#include "reference/numbers/philox.h"
#include "reference/test_graph.h"

namespace plumb::reference {
namespace {

TestGraph Random(std::string op, AttrMap attrs, std::vector<int32_t> shape) {
  TestGraph graph;
  const int64_t rank = static_cast<int64_t>(shape.size());
  graph.Value("shape", MakeTensor<int32_t>({rank}, std::span<const int32_t>(shape)));
  attrs["T"] = DType::kInt32;
  graph.Add("r", std::move(op), {"shape"}, std::move(attrs));
  return graph;
}
AttrMap Seeded(DType dtype) { return {{"seed", 1}, {"seed2", 2}, {"dtype", dtype}}; }

// R75's first words for (1, 2) under R72: mantissa bits of each word.
TEST(Random, UniformTakesMantissaBits) {
  TestSession session(Random("RandomUniform", Seeded(DType::kFloat), {2}));
  const Tensor first = session.Run({"r"}).outputs.at(0);
  EXPECT_EQ(first.data<float>()[0], static_cast<float>(0x3404cf) / 0x800000);
  EXPECT_EQ(first.data<float>()[1], static_cast<float>(0x6dc5d3) / 0x800000);
  TestSession in_double(Random("RandomUniform", Seeded(DType::kDouble), {1}));
  EXPECT_EQ(in_double.Run({"r"}).scalar<double>(), std::ldexp(0x404cf, -20) + std::ldexp(0x8cedc5d3p0, -52));
}

// R71: the k-th execution starts 256 blocks per output later.
TEST(Random, TheStreamGoesOnFromRunToRun) {
  TestSession session(Random("RandomUniform", Seeded(DType::kFloat), {3}));
  ASSERT_EQ(session.Run({"r"}).code(), Code::kOk);
  Philox later(1, 2);
  later.Skip(256 * 3);
  EXPECT_EQ(session.Run({"r"}).outputs.at(0).data<float>()[0],
            static_cast<float>(later.Next()[0] & 0x7fffff) / 0x800000);
  TestSession unseeded(Random("RandomUniform", {{"dtype", DType::kFloat}}, {8}));
  EXPECT_FALSE(unseeded.Run({"r"}).outputs.at(0).BitwiseEquals(unseeded.Run({"r"}).outputs.at(0)));
}

TEST(Random, IntegersAreWordsModuloTheRange) {
  TestGraph graph = Random("RandomUniform", Seeded(DType::kFloat), {4});
  graph.Const("low", -3).Const("high", 7);
  const AttrMap attrs = {{"seed", 1}, {"seed2", 2}, {"Tout", DType::kInt32}, {"T", DType::kInt32}};
  graph.Add("i", "RandomUniformInt", {"shape", "low", "high"}, attrs);
  graph.Add("none", "RandomUniformInt", {"shape", "high", "low"}, attrs);
  TestSession session(graph);
  EXPECT_EQ(session.Run({"i"}).outputs.at(0).data<int32_t>()[0], -3 + static_cast<int32_t>(0xe73404cf % 10));
  EXPECT_EQ(session.Run({"none"}).code(), Code::kInvalidArgument);
}

TEST(Random, StatelessOpsLookAtLimitsWhereThereIsSomethingToDraw) {
  const auto failure = [](int32_t size, const Tensor& seed, const Tensor& limit) {
    const Tensor shape = MakeVector<int32_t>({size});
    return KernelCall{"StatelessRandomUniformInt", {shape, seed, limit, limit}, {}, {DType::kInt32}}.Fails();
  };
  const Tensor seed = MakeVector<int32_t>({1, 2}), three = MakeVector<int32_t>({1, 2, 3});
  EXPECT_EQ(failure(0, seed, seed), Code::kOk);
  EXPECT_EQ(failure(1, seed, seed), Code::kInvalidArgument);
  EXPECT_EQ(failure(1, seed, MakeScalar<int32_t>(1)), Code::kInvalidArgument);
  EXPECT_EQ(failure(0, three, MakeScalar<int32_t>(1)), Code::kInvalidArgument);
}

// R73, by hand from the first two words, within the bound that the value carries.
TEST(Random, NormalsAreBoxMuller) {
  TestSession session(Random("RandomStandardNormal", Seeded(DType::kFloat), {1}));
  std::vector<Value> values;
  const std::vector<std::string> fetches = {"r"};
  const Mode mode{.bounds = true, .perturb_seed = {}, .observer = {}};
  ASSERT_TRUE(session.session.RunValues({}, fetches, {}, &values, mode).ok());
  const double u = static_cast<double>(0x3404cf) / 0x800000, angle = 2 * M_PI * 0x6dc5d3 / 0x800000;
  const double expected = std::sqrt(-2 * std::log(u)) * std::sin(angle);
  ASSERT_NE(values[0].bound, nullptr);
  EXPECT_LE(std::fabs(values[0].tensor.scalar<float>() - expected), values[0].bound->at(0));
  EXPECT_LT(values[0].bound->at(0), std::fabs(expected) / 100);  // a wider bound would say nothing
}

// 2π units for the rounding of the angle, 8 for each elementary function (4 in the last place), half as many for what
// the root makes of the logarithm's, and the roundings in between.
TEST(Random, TheBoundOfANormalIsSomeUnitsOfItsRadius) {
  TestSession session(Random("RandomStandardNormal", Seeded(DType::kFloat), {1000}));
  std::vector<Value> values;
  const std::vector<std::string> fetches = {"r"};
  const Mode mode{.bounds = true, .perturb_seed = {}, .observer = {}};
  ASSERT_TRUE(session.session.RunValues({}, fetches, {}, &values, mode).ok());
  const auto normals = values.at(0).tensor.data<float>();
  for (size_t i = 0; i < normals.size(); i += 2) {
    const double radius = std::hypot(normals[i], normals[i + 1]);
    for (const size_t k : {i, i + 1}) EXPECT_LT(values[0].bound->at(k), 32 * 0x1p-24 * radius) << k;
  }
}

TEST(Random, TruncatedNormalsStayWithinTwo) {
  TestSession session(Random("TruncatedNormal", Seeded(DType::kFloat), {1000}));
  const Tensor values = session.Run({"r"}).outputs.at(0);
  double largest = 0;
  for (const float value : values.data<float>()) largest = std::max<double>(largest, std::fabs(value));
  EXPECT_LT(largest, 2);
  EXPECT_GT(largest, 1.9);
}

TEST(Random, ShapesAreChecked) {
  const AttrMap seeds = Seeded(DType::kFloat);
  EXPECT_EQ(TestSession(Random("RandomUniform", seeds, {-1})).Run({"r"}).code(), Code::kInvalidArgument);
  EXPECT_EQ(TestSession(Random("RandomUniform", seeds, {INT32_MAX, 16})).Run({"r"}).code(), Code::kResourceExhausted);
  EXPECT_EQ(TestSession(Random("RandomUniform", seeds, {0})).Run({"r"}).outputs.at(0).elements(), 0);
}

TEST(Random, ShuffleSwapsWithALaterElement) {
  TestGraph graph;
  graph.Value("x", MakeVector<int32_t>({10, 11, 12, 13}));
  graph.Add("s", "RandomShuffle", {"x"}, {{"T", DType::kInt32}, {"seed", 1}, {"seed2", 2}});
  std::vector<int32_t> expected = {10, 11, 12, 13};
  const uint32_t words[] = {0xe73404cf, 0x8cedc5d3, 0x3f071736};                              // R75
  for (uint32_t i = 0; i < 3; ++i) std::swap(expected[i], expected[i + words[i] % (4 - i)]);  // R78
  const Tensor shuffled = TestSession(graph).Run({"s"}).outputs.at(0);
  EXPECT_THAT(shuffled.data<int32_t>(), ::testing::ElementsAreArray(expected));
}

double SlopeOfGammaSample(double alpha, double sample) {
  TestGraph graph;
  graph.Value("alpha", MakeScalar(alpha)).Value("sample", MakeScalar(sample));
  graph.Add("slope", "RandomGammaGrad", {"alpha", "sample"}, {{"T", DType::kDouble}});
  return TestSession(graph).Run({"slope"}).scalar<double>();
}

// Above the mean, where xᵃ⁻¹e⁻ˣ(1 + (a−1)/x)/Γ(a) is left of it, of a = 2; ψ(2) = 1 − γ. Below, x of a large a is a +
// z√a.
TEST(Random, SlopesOfGammaSamplesAreThoseOfTheirTails) {
  constexpr double kEulersConstant = 0.57721566490153286;
  for (const double x : {1e5, 1e8, 1e20}) {
    EXPECT_NEAR(SlopeOfGammaSample(2, x), std::log(x) - 1 + kEulersConstant,
                4 * std::log(x) * (1 / x + std::numeric_limits<double>::epsilon()))
        << x;
  }
  EXPECT_EQ(SlopeOfGammaSample(1e30, 1e30), 1);
}

TEST(Random, AGammaSampleHasNoSlopeWhereItsParameterIsNone) {
  const auto& slope = SlopeOfGammaSample;
  EXPECT_TRUE(std::isnan(slope(0, 1)));
  EXPECT_TRUE(std::isnan(slope(-1, 1)));
  EXPECT_TRUE(std::isnan(slope(1, -1)));
  EXPECT_EQ(slope(0, 0), 0);
}

}  // namespace
}  // namespace plumb::reference
