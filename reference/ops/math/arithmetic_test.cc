#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

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

TEST(Math, CrossTakesVectorsOfThree) {
  const auto failure = [](const Tensor& a, const Tensor& b) { return KernelCall{"Cross", {a, b}}.Fails(); };
  EXPECT_THAT(Floats(KernelCall{"Cross", {Vector({1, 0, 0}), Vector({0, 1, 0})}}()), ElementsAre(0, 0, 1));
  EXPECT_EQ(failure(Vector({1, 2}), Vector({1, 2})), Code::kFailedPrecondition);
  EXPECT_EQ(failure(Vector({1, 2}), Vector({1, 2, 3})), Code::kInvalidArgument);
  EXPECT_EQ(failure(MakeScalar(1.0f), MakeScalar(1.0f)), Code::kInvalidArgument);
}

TEST(Math, AxesTakeTurnsFiveTimesInBroadcasting) {  // T10
  const auto zeros = [](const Shape& shape) { return Tensor(DType::kFloat, shape); };
  const auto shape = [&](const Shape& x, const Shape& y) {
    return KernelCall{"AddV2", {zeros(x), zeros(y)}}().tensor.shape();
  };
  EXPECT_EQ(shape({2, 1, 2, 1, 2}, {1, 2, 1, 2, 1}), Shape({2, 2, 2, 2, 2}));
  const Shape six({2, 1, 2, 1, 2, 1}), other({1, 2, 1, 2, 1, 2});
  EXPECT_EQ((KernelCall{"AddV2", {zeros(six), zeros(other)}}.Fails()), Code::kUnimplemented);
  EXPECT_EQ((KernelCall{"Less", {zeros(six), zeros(other)}}.Fails()), Code::kUnimplemented);
  const Shape all({2, 2, 2, 2, 2, 2});
  for (const Shape& every_second : {six, other}) {
    EXPECT_EQ((KernelCall{"AddV2", {zeros(all), zeros(every_second)}}.Fails()), Code::kUnimplemented);
    EXPECT_EQ((KernelCall{"AddV2", {zeros(every_second), zeros(all)}}.Fails()), Code::kUnimplemented);
  }
  EXPECT_EQ(shape({2, 2, 1, 1, 2, 3, 1, 2, 1}, {1, 1, 2, 1, 2, 3, 2, 1, 1}), Shape({2, 2, 2, 1, 2, 3, 2, 2, 1}));
  EXPECT_EQ(shape({2, 1, 2, 1, 0, 1}, {1, 2, 1, 2, 1, 2}), Shape({2, 2, 2, 2, 0, 2})) << "there is nothing to compute";
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
  EXPECT_EQ((KernelCall{"Mod", {Ints({1}), Ints({0})}}.Fails()), Code::kInvalidArgument);
  for (const auto* op : {"TruncateDiv", "TruncateMod"}) {  // N9
    EXPECT_EQ((KernelCall{op, {Ints({1}), Ints({0})}}.Fails()), Code::kInternal) << op;
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

// The neighbour may be the one on the other side.
TEST(Math, AStepInADirectionThatIsInDoubtIsInDoubt) {
  const Value next = KernelCall{"NextAfter", {Vector({1}), WithBound(Vector({1.5}), {1.0})}}();
  EXPECT_GE(Bounds(next)[0], 0x1p-23 + 0x1p-24);
  EXPECT_EQ((KernelCall{"NextAfter", {Vector({1}), Vector({1.5})}}().bound), nullptr);
}

TEST(Math, ADivisorThatMayBeZeroHasNoBound) {
  const Value y = KernelCall{"RealDiv", {Vector({1}), WithBound(Vector({0.5}), {1.0})}}();
  EXPECT_EQ(Bounds(y)[0], INFINITY);
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
