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

template <class Q>
Value CodesOf(const Shape& shape, const std::vector<int>& values) {
  Tensor codes(DTypeOf<Q>, shape);
  for (size_t i = 0; i < values.size(); ++i) {
    codes.mutable_data<Q>()[i].value = static_cast<decltype(Q::value)>(values[i]);
  }
  return codes;
}

// From −128 to 127 the code of 0 is 128: b is {{1, 0}, {−2, 1}, {3, −1}}. The first row times the first column is
// 1·1 + 2·(−2) + 0·3 = −3, then 1·0 + 2·1 + 0·(−1) = 2, 3·1 + 4·(−2) + 1·3 = −2 and 3·0 + 4·1 + 1·(−1) = 3.
TEST(QuantizedMatMul, CountsFromTheCodeOfZero) {
  const auto a = [](bool transposed) {
    return transposed ? CodesOf<Quint8>({3, 2}, {1, 3, 2, 4, 0, 1}) : CodesOf<Quint8>({2, 3}, {1, 2, 0, 3, 4, 1});
  };
  const auto b = [](bool transposed) {
    return transposed ? CodesOf<Quint8>({2, 3}, {129, 126, 131, 128, 129, 127})
                      : CodesOf<Quint8>({3, 2}, {129, 128, 126, 129, 131, 127});
  };
  for (const bool transpose_a : {false, true}) {
    for (const bool transpose_b : {false, true}) {
      const auto product = KernelCall{
          "QuantizedMatMul",
          {a(transpose_a), b(transpose_b), Scalar(0), Scalar(255), Scalar(-128), Scalar(127)},
          {{"transpose_a", transpose_a}, {"transpose_b", transpose_b}},
          {DType::kQint32, DType::kFloat,
           DType::kFloat}}.Run();
      EXPECT_THAT(Integers(product[0]), ElementsAre(-3, 2, -2, 3)) << transpose_a << transpose_b;
      EXPECT_THAT(Floats(product[1]), ElementsAre(-0x1p31F)) << "2^31 products of one unit by one";
      EXPECT_THAT(Floats(product[2]), ElementsAre(0x1p31F));
    }
  }
}

// 2^28 codes of the range from −8 to 8 are 1. In the range from 0 to 1 a code of a byte is 1/255: 1/16, 1/4 and 3/4 are
// 15.9, 63.75 and 191.25, rounded, and 128 less with a sign; 2 and −1/16 go to the ends. From −1 to 1 the unit is
// 1/127.5: 1 1/16, 1 1/4, 1 3/4, 15/16 and 1 above the lower end are 135.47, 159.4, 223.1, 119.5 and 127.5, rounded.
TEST(Requantize, MovesCodesToTheNearestOfTheRequestedRange) {
  const Value codes = CodesOf<Qint32>({6}, {1 << 24, 1 << 26, 3 << 26, 1 << 29, -(1 << 24), 0});
  const auto in_range = [&](float low, DType type) {
    return KernelCall{
        "Requantize", {codes, Scalar(-8), Scalar(8), Scalar(low), Scalar(1)}, {}, {type, DType::kFloat, DType::kFloat}}
        .Run();
  };
  const auto positive = in_range(0, DType::kQuint8);
  EXPECT_THAT(Integers(positive[0]), ElementsAre(16, 64, 191, 255, 0, 0));
  EXPECT_THAT(Floats(positive[1]), ElementsAre(0));
  EXPECT_THAT(Floats(positive[2]), ElementsAre(1));
  EXPECT_THAT(Integers(in_range(0, DType::kQint8)[0]), ElementsAre(-112, -64, 63, 127, -128, -128));
  EXPECT_THAT(Integers(in_range(-1, DType::kQuint8)[0]), ElementsAre(135, 159, 223, 255, 120, 128));
}

}  // namespace
}  // namespace plumb::reference
