#include <gmock/gmock.h>

#include "reference/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

TEST(Math, BinaryOpsBroadcast) {
  const Value x = MakeTensor<float>({2, 1}, {1, 10}), y = Vector({1, 2, 3});
  const Value z = KernelCall{"AddV2", {x, y}}();
  EXPECT_EQ(z.tensor.shape(), Shape({2, 3}));
  EXPECT_THAT(Floats(z), ElementsAre(2, 3, 4, 11, 12, 13));
}

TEST(Math, ShapesThatDoNotBroadcastAreRefused) {
  EXPECT_EQ((KernelCall{"Mul", {Vector({1, 2}), Vector({1, 2, 3})}}.Fails()), Code::kInvalidArgument);
}

TEST(Math, AZeroGradientOfARootIsZero) {  // N18
  const Value y = Vector({0, INFINITY, 2}), dy = Vector({0, 0, 8});
  EXPECT_THAT(Floats(KernelCall{"SqrtGrad", {y, dy}}()), ElementsAre(0, 0, 2));
  EXPECT_THAT(Floats(KernelCall{"RsqrtGrad", {y, dy}}()), ElementsAre(0, 0, -32));
}

TEST(Math, QuantisedValuesAreCastAsTheirIntegers) {
  const KernelCall cast{"Cast", {MakeVector<Qint8>({Qint8{-3}})}, {{"DstT", DType::kFloat}, {"Truncate", false}}};
  EXPECT_THAT(Floats(cast()), ElementsAre(-3));
  const KernelCall back{"Cast", {Vector({200, -1})}, {{"DstT", DType::kQuint8}, {"Truncate", false}}, {DType::kQuint8}};
  EXPECT_EQ(back().tensor.data<Quint8>()[0].value, 200);
  EXPECT_EQ(back().tensor.data<Quint8>()[1].value, 255);
}

TEST(Math, IntegersWrap) {
  EXPECT_THAT(Integers(KernelCall{"AddV2", {Ints({INT32_MAX}), Ints({1})}}()), ElementsAre(INT32_MIN));
  EXPECT_THAT(Integers(KernelCall{"Mul", {MakeVector<int64_t>({INT64_MAX}), MakeVector<int64_t>({INT64_MAX})}}()),
              ElementsAre(1));
  EXPECT_THAT(Integers(KernelCall{"Neg", {Ints({INT32_MIN})}}()), ElementsAre(INT32_MIN));
  EXPECT_THAT(Integers(KernelCall{"Div", {Ints({INT32_MIN}), Ints({-1})}}()), ElementsAre(INT32_MIN));
}

TEST(Math, IntegerDivisionTruncatesOrFloors) {
  const Value x = Ints({7, -7, 7, -7}), y = Ints({2, 2, -2, -2});
  EXPECT_THAT(Integers(KernelCall{"Div", {x, y}}()), ElementsAre(3, -3, -3, 3));
  EXPECT_THAT(Integers(KernelCall{"FloorDiv", {x, y}}()), ElementsAre(3, -4, -4, 3));
  EXPECT_THAT(Integers(KernelCall{"FloorMod", {x, y}}()), ElementsAre(1, 1, -1, -1));
}

TEST(Math, IntegerDivisionByZeroIsRefused) {
  for (const auto* op : {"Div", "FloorDiv", "FloorMod"}) {
    EXPECT_EQ((KernelCall{op, {Ints({1}), Ints({0})}}.Fails()), Code::kInvalidArgument) << op;
  }
  EXPECT_EQ((KernelCall{"Pow", {Ints({2}), Ints({-1})}}.Fails()), Code::kInvalidArgument);
}

TEST(Math, MaximumPropagatesNanAndKeepsTheFirstOfEquals) {
  const Value z = KernelCall{"Maximum", {Vector({NAN, 1, 0, -0.0f}), Vector({1, NAN, -0.0f, 0})}}();
  const auto floats = Floats(z);
  EXPECT_TRUE(std::isnan(floats[0]) && std::isnan(floats[1]));
  EXPECT_FALSE(std::signbit(floats[2]));
  EXPECT_TRUE(std::signbit(floats[3]));
}

TEST(Math, ExactStepsOnExactInputsCarryNoBound) {
  EXPECT_EQ((KernelCall{"RealDiv", {Vector({1}), Vector({3})}}().bound), nullptr);
}

TEST(Math, AnInputBoundReachesTheOutputWithItsRounding) {
  const Value z = KernelCall{"Mul", {WithBound(Vector({3}), {0.5}), Vector({2})}}();
  EXPECT_GE(Bounds(z)[0], 1);
  EXPECT_LE(Bounds(z)[0], 1 + 2 * 0x1p-24 * 7);
}

TEST(Math, ElementaryFunctionsAddTheirUnits) {
  const Value y = KernelCall{.op = "Exp", .inputs = {Vector({1})}, .accuracy = Ulps(2)}();
  EXPECT_GE(Bounds(y)[0], 2 * 0x1p-22) << "two units in the last place of e";
  EXPECT_LE(Bounds(y)[0], 6 * 0x1p-22);
}

TEST(Math, ADivisorThatMayBeZeroHasNoBound) {
  const Value y = KernelCall{"RealDiv", {Vector({1}), WithBound(Vector({0.5}), {1.0})}}();
  EXPECT_EQ(Bounds(y)[0], INFINITY);
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

TEST(Math, CastRoundsWrapsAndTruncates) {
  const auto cast = [](Tensor x, DType to, bool truncate = false) {
    return KernelCall{"Cast", {x}, {{"DstT", to}, {"Truncate", truncate}}, {to}}();
  };
  EXPECT_THAT(Integers(cast(Vector({255, -1.9f, 3e9f, NAN}), DType::kInt8)), ElementsAre(-1, -1, 0, 0));
  EXPECT_THAT(Integers(cast(Vector({2.9f, 3e9f, -3e9f}), DType::kInt32)), ElementsAre(2, INT32_MIN, INT32_MIN));
  EXPECT_THAT(Integers(cast(Vector({0, 0.1f, NAN}), DType::kBool)), ElementsAre(0, 1, 1));
  EXPECT_THAT(Floats(cast(Ints({16777217}), DType::kFloat)), ElementsAre(16777216));
  EXPECT_THAT(Floats(cast(Vector({1.00390625f}), DType::kBfloat16)), ElementsAre(1));
  EXPECT_THAT(Floats(cast(Vector({1.0078f}), DType::kBfloat16, true)), ElementsAre(1));
  EXPECT_THAT(Floats(cast(Vector({3.4e38f}), DType::kBfloat16)), ElementsAre(INFINITY));
  EXPECT_EQ(
      (KernelCall{"Cast", {MakeScalar<std::string>("1")}, {{"DstT", DType::kFloat}, {"Truncate", false}}}.Fails()),
      Code::kUnimplemented);
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

TEST(Math, EqualityOfShapesThatDoNotFit) {
  const std::vector<Value> inputs = {Vector({1, 2}), Vector({1, 2, 3})};
  EXPECT_EQ((KernelCall{"Equal", inputs, {{"incompatible_shape_error", true}}}.Fails()), Code::kInvalidArgument);
  EXPECT_THAT(Integers(KernelCall{"NotEqual", inputs, {{"incompatible_shape_error", false}}}()), ElementsAre(1));
}

TEST(Math, AddNAddsUpAndChecksShapes) {
  const Value x = Vector({1, 2}), y = Vector({10, 20});
  EXPECT_THAT(Floats(KernelCall{"AddN", {x, y, x}}()), ElementsAre(12, 24));
  EXPECT_EQ((KernelCall{"AddN", {x, Vector({1})}}.Fails()), Code::kInvalidArgument);
}

TEST(Math, ComplexNumbersMultiplyAndDivide) {
  using C = std::complex<float>;
  const Value x = MakeVector<C>({C(1, 2)}), y = MakeVector<C>({C(3, -1)});
  const auto first = [](const Value& z) { return z.tensor.data<C>()[0]; };
  EXPECT_EQ(first(KernelCall{"Mul", {x, y}}()), C(5, 5));
  EXPECT_EQ(first(KernelCall{"Conj", {x}}()), C(1, -2));
  EXPECT_EQ(first(KernelCall{"Div", {MakeVector<C>({C(5, 5)}), y}}()), C(1, 2));
}

TEST(Math, StringsAdd) {
  const Value z = KernelCall{"Add", {MakeVector<std::string>({"a", "b"}), MakeScalar<std::string>("c")}}();
  EXPECT_EQ(z.tensor.data<std::string>()[1], "bc");
}

}  // namespace
}  // namespace plumb::reference
