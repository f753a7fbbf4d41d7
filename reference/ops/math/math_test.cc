#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

TEST(Math, AZeroGradientOfARootIsZero) {  // N18
  const Value y = Vector({0, INFINITY, 2}), dy = Vector({0, 0, 8});
  EXPECT_THAT(Floats(KernelCall{"SqrtGrad", {y, dy}}()), ElementsAre(0, 0, 2));
  EXPECT_THAT(Floats(KernelCall{"RsqrtGrad", {y, dy}}()), ElementsAre(0, 0, -32));
}

TEST(Math, ElementaryFunctionsAddTheirUnits) {
  const Value y = KernelCall{.op = "Exp", .inputs = {Vector({1})}, .accuracy = Ulps(2)}();
  EXPECT_GE(Bounds(y)[0], 2 * 0x1p-22) << "two units in the last place of e";
  EXPECT_LE(Bounds(y)[0], 6 * 0x1p-22);
}

TEST(Math, BoundsAreNeverNan) {
  const std::vector<double> wide(5, INFINITY);
  const Value x = WithBound(Vector({0, -1, INFINITY, NAN, 3}), wide), y = WithBound(Vector({0, 0, 0, 1, -2}), wide);
  for (const auto* op : {"AddV2", "Mul", "RealDiv", "FloorDiv", "FloorMod", "Pow", "Maximum", "SquaredDifference"}) {
    for (const double bound : Bounds(KernelCall{op, {x, y}}())) EXPECT_FALSE(std::isnan(bound)) << op;
  }
  for (const auto* op : {"Exp", "Log", "Log1p", "Sqrt", "Rsqrt", "Tanh", "Sigmoid", "Floor", "Sign", "Abs"}) {
    for (const double bound : Bounds(KernelCall{op, {x}}())) EXPECT_FALSE(std::isnan(bound)) << op;
  }
}

// A float evaluation of the same formula, on inputs moved within their bounds, stays within the output's bound.
TEST(Math, PerturbedFloatEvaluationLiesWithinTheBound) {
  const Tensor x = Vector({0.3f, 1.7f, 2.5f}), moved = Vector({0.3001f, 1.6999f, 2.5002f});
  const auto check = [&](std::string_view op, float (*f)(float)) {
    const Value y = KernelCall{.op = op, .inputs = {WithBound(x, {0.00011, 0.00011, 0.00021})}, .accuracy = Ulps(4)}();
    for (int i = 0; i < 3; ++i) {
      const double error = std::fabs(double{f(moved.data<float>()[i])} - y.tensor.data<float>()[i]);
      EXPECT_LE(error, Bounds(y)[i]) << op << " " << i;
      EXPECT_GT(error, 0) << op << " " << i;
    }
  };
  check("Exp", [](float t) { return std::exp(t); });
  check("Log", [](float t) { return std::log(t); });
  check("Tanh", [](float t) { return std::tanh(t); });
  check("Sigmoid", [](float t) { return 1 / (1 + std::exp(-t)); });
  check("Rsqrt", [](float t) { return 1 / std::sqrt(t); });
  check("Square", [](float t) { return t * t; });
}

// Beside the poles of the function, odd multiples of πi, 1 + exp(-z) loses what its terms were rounded by.
TEST(Math, ComplexSigmoidIsBoundedBesideItsPoles) {
  using C = std::complex<float>;
  for (int i = -20; i <= 20; ++i) {
    const C z(0.01f * static_cast<float>(i), 3.1f + 0.002f * static_cast<float>(i * i % 41));
    const C formula = 1.0f / (1.0f + std::exp(-z));
    const Value y = KernelCall{.op = "Sigmoid", .inputs = {MakeScalar(z)}, .accuracy = Ulps(4)}();
    const std::complex<double> error = std::complex<double>(formula) - std::complex<double>(y.tensor.scalar<C>());
    EXPECT_LE(std::max(std::fabs(error.real()), std::fabs(error.imag())), Bounds(y)[0]) << z;
  }
}

TEST(Math, TangentsFollowTheChainRule) {
  const Value x = WithTangent(Vector({2}), {3});
  EXPECT_THAT(Tangents(KernelCall{"Square", {x}}()), ElementsAre(12));
  EXPECT_THAT(Tangents(KernelCall{"Log", {x}}()), ElementsAre(1.5));
  EXPECT_THAT(Tangents(KernelCall{"RealDiv", {Vector({1}), x}}()), ElementsAre(-0.75));
  EXPECT_THAT(Tangents(KernelCall{"Pow", {x, Vector({3})}}()), ElementsAre(36));
  EXPECT_THAT(Tangents(KernelCall{"Maximum", {x, Vector({5})}}()), ElementsAre(0));
}

TEST(Math, GradientOpsUseTheResult) {
  const Tensor dy = Vector({2});
  EXPECT_THAT(Floats(KernelCall{"TanhGrad", {Vector({0.5}), dy}}()), ElementsAre(1.5));
  EXPECT_THAT(Floats(KernelCall{"SigmoidGrad", {Vector({0.5}), dy}}()), ElementsAre(0.5));
  EXPECT_THAT(Floats(KernelCall{"SqrtGrad", {Vector({4}), dy}}()), ElementsAre(0.25));
  EXPECT_THAT(Floats(KernelCall{"RsqrtGrad", {Vector({0.5}), dy}}()), ElementsAre(-0.125));
  EXPECT_EQ((KernelCall{"TanhGrad", {Vector({1, 2}), dy}}.Fails()), Code::kInvalidArgument);
}

TEST(Math, SelectChoosesElementsOrRows) {
  const Value then = MakeTensor<float>({2, 2}, {1, 2, 3, 4}), otherwise = MakeTensor<float>({2, 2}, {5, 6, 7, 8});
  const auto select = [&](Tensor condition) {
    return Floats(KernelCall{"Select", {condition, then, otherwise}, {}, {DType::kFloat}}());
  };
  EXPECT_THAT(select(MakeScalar<bool>(false)), ElementsAre(5, 6, 7, 8));
  EXPECT_THAT(select(MakeVector<bool>({true, false})), ElementsAre(1, 2, 7, 8));
  EXPECT_THAT(select(MakeTensor<bool>({2, 2}, {true, false, false, true})), ElementsAre(1, 6, 7, 4));
  EXPECT_EQ((KernelCall{"Select", {MakeVector<bool>({true, false, true}), then, otherwise}}.Fails()),
            Code::kInvalidArgument);
}

TEST(Math, ClipByValueTakesThePartsOfComplexNumbersApart) {
  using C = std::complex<float>;
  const Tensor t = MakeVector<C>({{1, 2}, {3, -1}, {-5, NAN}});
  const Value clipped = KernelCall{"ClipByValue", {t, MakeScalar<C>({NAN, 1}), MakeScalar<C>({2, 0})}}();
  const auto parts = clipped.tensor.data<C>();
  EXPECT_EQ(parts[0], C(1, 1));
  EXPECT_EQ(parts[1], C(2, 1));
  EXPECT_EQ(parts[2].real(), -5);
  EXPECT_TRUE(std::isnan(parts[2].imag()));
}

TEST(Math, EqualityOfShapesThatDoNotFit) {
  const std::vector<Value> inputs = {Vector({1, 2}), Vector({1, 2, 3})};
  EXPECT_EQ((KernelCall{"Equal", inputs, {{"incompatible_shape_error", true}}}.Fails()), Code::kInvalidArgument);
  EXPECT_THAT(Integers(KernelCall{"NotEqual", inputs, {{"incompatible_shape_error", false}}}()), ElementsAre(1));
}

// N19.
TEST(Math, TheSignOfAZeroIsZero) {
  const auto signs = Floats(KernelCall{"Sign", {Vector({-0.0F, 0, -2, 3})}}());
  EXPECT_FALSE(std::signbit(signs[0]));
  EXPECT_THAT(signs, ElementsAre(0, 0, -1, 1));
}

TEST(Math, AddNAddsUpAndChecksShapes) {
  const Value x = Vector({1, 2}), y = Vector({10, 20});
  EXPECT_THAT(Floats(KernelCall{"AddN", {x, y, x}}()), ElementsAre(12, 24));
  const Value minus = Vector({-0.0F, -0.0F}), mixed = Vector({-0.0F, 0});
  const auto zeros = Floats(KernelCall{"AddN", {minus, mixed, minus}}());
  EXPECT_TRUE(std::signbit(zeros[0])) << "N19";
  EXPECT_FALSE(std::signbit(zeros[1]));
  EXPECT_EQ((KernelCall{"AddN", {x, Vector({1})}}.Fails()), Code::kInvalidArgument);
  const Value list = Tensor(DType::kVariant, Shape());
  EXPECT_EQ((KernelCall{"AddN", {list}}()).tensor.dtype(), DType::kVariant) << "a single term is handed on";
}

TEST(Math, BucketizeHalvesBoundariesWithNaN) {
  const Tensor x = Vector({-1, 0, 1, 2, 3, NAN});
  const auto buckets = [&](std::vector<float> boundaries) {
    return KernelCall{"Bucketize", {x}, {{"boundaries", boundaries}}, {DType::kInt32}};
  };
  EXPECT_THAT(Integers(buckets({0, 2, 2})()), ElementsAre(0, 1, 1, 3, 3, 3));
  EXPECT_THAT(Integers(buckets({0, NAN, 2})()), ElementsAre(2, 2, 2, 3, 3, 3));
  EXPECT_THAT(Integers(buckets({NAN, 1})()), ElementsAre(1, 1, 2, 2, 2, 2));
  EXPECT_THAT(Integers(buckets({0, 1, NAN, 2})()), ElementsAre(3, 3, 3, 4, 4, 4)) << "the third one is asked first";
  EXPECT_EQ(buckets({2, 1}).Fails(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::reference
