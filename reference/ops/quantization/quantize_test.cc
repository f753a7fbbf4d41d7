// Codes of numbers, what is known of the ranges that they come with, and products of codes.
#include <gmock/gmock.h>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

using testing::ElementsAre;

Value MayBe(float x, double bound) { return WithBound(Scalar(x), {bound}); }

std::vector<Value> Quantized(Value min, Value max, const char* mode, float minimum_range = 0) {
  const AttrMap attrs = {{"mode", mode},
                         {"round_mode", "HALF_AWAY_FROM_ZERO"},
                         {"narrow_range", false},
                         {"axis", -1},
                         {"ensure_minimum_range", minimum_range}};
  return KernelCall{"QuantizeV2",
                    {Vector({-4, 0, 3}), std::move(min), std::move(max)},
                    attrs,
                    {DType::kQint8, DType::kFloat, DType::kFloat}}
      .Run();
}

// Of two numbers of which either may be the smaller one, the smaller is as uncertain as both.
TEST(Quantize, EndsOfTheRangeAreAsUncertainAsWhatTheyWereChosenFrom) {
  auto range = Quantized(MayBe(-2, 0.125), MayBe(5, 0.25), "MIN_COMBINED");
  EXPECT_THAT(Floats(range[1]), ElementsAre(-2));
  EXPECT_EQ(Bounds(range[1]), StoredBounds(range[1], {0.125}));
  EXPECT_THAT(Floats(range[2]), ElementsAre(5));
  EXPECT_GE(Bounds(range[2])[0], 0.25);
  // The range takes in 0: an end beyond it may be there or not.
  range = Quantized(MayBe(0.125F, 0.5), MayBe(5, 0), "MIN_COMBINED");
  EXPECT_THAT(Floats(range[1]), ElementsAre(0));
  EXPECT_GE(Bounds(range[1])[0], 0.375) << "the smallest may be -0.375";
  range = Quantized(MayBe(-5, 0), MayBe(-0.125F, 0.5), "MIN_COMBINED");
  EXPECT_THAT(Floats(range[2]), ElementsAre(0));
  EXPECT_GE(Bounds(range[2])[0], 0.375) << "the largest may be 0.375";
  // The least width is a share of the farther end: here the higher end is low + width.
  range = Quantized(MayBe(-8, 0.5), MayBe(-7.5F, 0), "MIN_COMBINED", 0.5F);
  EXPECT_THAT(Floats(range[1]), ElementsAre(-8));
  EXPECT_GE(Bounds(range[2])[0], 0.25) << "half of what the lower end may move";
}

// 127 is the last code: a range up to 2 has 63.5 codes for 1, and goes down to -128/63.5.
TEST(Quantize, AScaleIsAsUncertainAsTheEndThatLimitsIt) {
  const auto range = Quantized(MayBe(-1, 0), MayBe(2, 0.25), "SCALED");
  EXPECT_NEAR(Floats(range[2])[0], 2, Bounds(range[2])[0]);
  EXPECT_GE(Bounds(range[2])[0], 0.25);
  EXPECT_GE(Bounds(range[1])[0], 0.25 * 128 / 127);
  const auto low = Quantized(MayBe(-2, 0.25), MayBe(1, 0), "SCALED");
  EXPECT_GE(Bounds(low[1])[0], 0.25);
  EXPECT_GE(Bounds(low[2])[0], 0.25 * 127 / 128);
}

std::vector<int64_t> Products(const Shape& x_shape, const Shape& y_shape) {
  const auto codes = [](const Shape& shape) {
    Tensor tensor(DType::kQuint8, shape);
    for (int64_t i = 0; i < shape.elements(); ++i) tensor.mutable_data<Quint8>()[i].value = static_cast<uint8_t>(i + 1);
    return tensor;
  };
  const Value low = Scalar(0), high = Scalar(255);
  return Integers(KernelCall{
      "QuantizedMul",
      {codes(x_shape), codes(y_shape), low, high, low, high},
      {},
      {DType::kQint32, DType::kFloat,
       DType::kFloat}}.Run()[0]);
}

// The smaller operand is repeated along the other; where both are stretched, only as many as the larger one has come
// out, and the rest is 0.
TEST(QuantizedMul, RepeatsTheSmallerOperandAsOftenAsItFits) {
  EXPECT_THAT(Products({2, 2}, {2, 2}), ElementsAre(1, 4, 9, 16));
  EXPECT_THAT(Products({2, 2}, {2}), ElementsAre(1, 4, 3, 8));
  EXPECT_THAT(Products({}, {3}), ElementsAre(1, 2, 3));
  EXPECT_THAT(Products({2, 1}, {3}), ElementsAre(1, 4, 3, 0, 0, 0));
  EXPECT_THAT(Products({3}, {2, 1}), ElementsAre(1, 4, 3, 0, 0, 0));
}

}  // namespace
}  // namespace plumb::reference
