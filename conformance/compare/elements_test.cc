#include "conformance/compare/elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace plumb::conformance {
namespace {

using ::testing::ElementsAre;

TEST(ToDoubles, HoldsEveryFloatingTypeExactly) {
  EXPECT_THAT(ToDoubles(MakeVector<float>({0.5F, -3})), ElementsAre(0.5, -3));
  EXPECT_THAT(ToDoubles(MakeVector<double>({1e300, -3})), ElementsAre(1e300, -3));
  EXPECT_THAT(ToDoubles(MakeVector<Half>({Half(0.25F), Half(65504)})), ElementsAre(0.25, 65504));
  EXPECT_THAT(ToDoubles(MakeVector<BFloat16>({BFloat16(0.25F), BFloat16(-2)})), ElementsAre(0.25, -2));
  EXPECT_THAT(ToDoubles(MakeVector<std::complex<float>>({{1, 2}, {3, 4}})), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(ToDoubles(MakeVector<std::complex<double>>({{1, 2}, {3, 4}})), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(PartsOf(DType::kComplex64), 2);
  EXPECT_EQ(PartsOf(DType::kComplex128), 2);
  EXPECT_EQ(PartsOf(DType::kFloat), 1);
}

TEST(ToDoubles, RefusesWhatIsNoFloatingPointNumber) {
  for (const Tensor& tensor : {MakeScalar<int32_t>(1), MakeScalar<bool>(true), MakeScalar<std::string>("1")}) {
    try {
      ToDoubles(tensor);
      ADD_FAILURE() << DTypeName(tensor.dtype());
    } catch (const Error& error) {
      EXPECT_EQ(error.status().code(), Code::kInternal);
    }
  }
}

template <class T>
bool Same(T a, T b) {
  // Beside an element that is another one in each.
  return SameElement(MakeVector<T>({a, a}), MakeVector<T>({T(), b}), 1);
}

TEST(SameElement, IsEqualBitForBitButForNan) {
  const float nan = std::bit_cast<float>(0x7fc00000U), other_nan = std::bit_cast<float>(0xffc00001U);
  EXPECT_TRUE(Same(nan, other_nan));
  EXPECT_FALSE(Same(nan, 1.0F));
  EXPECT_FALSE(Same(1.0F, nan));
  EXPECT_FALSE(Same(0.0F, -0.0F));
  EXPECT_FALSE(Same(1.0F, std::nextafter(1.0F, 2.0F)));
  EXPECT_TRUE(Same(Half(1), Half(1)));
  EXPECT_FALSE(Same(BFloat16(0), BFloat16(-0.0F)));
  using Complex = std::complex<float>;
  EXPECT_TRUE(Same(Complex(nan, 1), Complex(other_nan, 1)));
  EXPECT_FALSE(Same(Complex(1, 2), Complex(1, 3)));
  EXPECT_FALSE(Same(Complex(1, 2), Complex(3, 2)));
  EXPECT_FALSE(Same(Complex(1, 0), Complex(1, -0.0F)));
  EXPECT_TRUE(Same<std::string>("a", "a"));
  EXPECT_FALSE(Same<std::string>("a", "b"));
  EXPECT_FALSE(Same<int64_t>(1, 2));
}

TEST(PrintElement, SaysAllDigits) {
  EXPECT_EQ(PrintElement(MakeVector<float>({0, 0.1F}), 1), "0.100000001");
  EXPECT_EQ(PrintElement(MakeScalar<double>(0.1), 0), "0.10000000000000001");
  EXPECT_EQ(PrintElement(MakeScalar<Half>(Half(0.1F)), 0), "0.0999755859");  // 1638 / 2^14 = 0.0999755859375
  EXPECT_EQ(PrintElement(MakeVector<int32_t>({7, -3}), 1), "{-3}");
}

TEST(PrintElement, EscapesStringsAndCutsLongOnes) {
  EXPECT_EQ(PrintElement(MakeScalar<std::string>(" a~\n\x7f\xff"), 0), R"(" a~\x0a\x7f\xff")");
  const std::string most(80, 'x');
  EXPECT_EQ(PrintElement(MakeScalar<std::string>(most), 0), "\"" + most + "\"");
  EXPECT_EQ(PrintElement(MakeScalar<std::string>(most + "y"), 0), "\"" + most + "\"… (81 bytes)");
}

TEST(PrintPosition, CountsTheLastDimensionFastest) {
  EXPECT_EQ(PrintPosition({2, 3}, 5), "[1,2]");
  EXPECT_EQ(PrintPosition({2, 3, 4}, 23), "[1,2,3]");
  EXPECT_EQ(PrintPosition({2, 3, 4}, 7), "[0,1,3]");
  EXPECT_EQ(PrintPosition({5}, 4), "[4]");
  EXPECT_EQ(PrintPosition({}, 0), "[]");
}

TEST(Limits, AreThoseOfTheType) {
  EXPECT_EQ(Largest(DType::kHalf), 65504);
  EXPECT_EQ(Largest(DType::kBfloat16), static_cast<double>(std::bit_cast<float>(0x7f7f0000U)));
  for (const DType type : {DType::kFloat, DType::kComplex64}) {
    EXPECT_EQ(Largest(type), double{std::numeric_limits<float>::max()});
    EXPECT_EQ(SmallestNormal(type), 0x1p-126);
  }
  for (const DType type : {DType::kDouble, DType::kComplex128}) {
    EXPECT_EQ(Largest(type), std::numeric_limits<double>::max());
    EXPECT_EQ(SmallestNormal(type), 0x1p-1022);
  }
  EXPECT_EQ(SmallestNormal(DType::kHalf), 0x1p-14);
  EXPECT_EQ(SmallestNormal(DType::kBfloat16), 0x1p-126);
}

// One unit of a significand of 11, 8, 24 and 53 bits; below the smallest normal number the units no longer shrink.
TEST(Spacing, IsOneUnitOfTheLastPlace) {
  EXPECT_EQ(Spacing(DType::kHalf, 1), 0x1p-10);
  EXPECT_EQ(Spacing(DType::kHalf, 0), 0x1p-24);
  EXPECT_EQ(Spacing(DType::kBfloat16, 1), 0x1p-7);
  for (const DType type : {DType::kFloat, DType::kComplex64}) {
    EXPECT_EQ(Spacing(type, 1), 0x1p-23);
    EXPECT_EQ(Spacing(type, 1.99), 0x1p-23);
    EXPECT_EQ(Spacing(type, -4), 0x1p-21);
    EXPECT_EQ(Spacing(type, 1e-45), 0x1p-149);
  }
  for (const DType type : {DType::kDouble, DType::kComplex128}) {
    EXPECT_EQ(Spacing(type, 1), 0x1p-52);
    EXPECT_EQ(Spacing(type, 0), 0x1p-1074);
  }
  EXPECT_EQ(Spacing(DType::kFloat, std::numeric_limits<double>::infinity()), 0);
}

}  // namespace
}  // namespace plumb::conformance
