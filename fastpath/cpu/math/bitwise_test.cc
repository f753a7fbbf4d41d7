#include <gtest/gtest.h>

#include <bitset>
#include <span>
#include <type_traits>
#include <vector>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

TEST(Math, ShiftsStayWithinTheWidth) {
  const Tensor x = MakeVector<int8_t>({1, -128, 100}), by = MakeVector<int8_t>({9, 100, -1});
  using I = std::vector<int8_t>;
  EXPECT_EQ(Values<int8_t>(RunKernel1("LeftShift", {x, by})), (I{-128, 0, 100}));
  EXPECT_EQ(Values<int8_t>(RunKernel1("RightShift", {x, by})), (I{0, -1, 100}));
}

TEST(Math, BitsAreThoseOfTwosComplement) {
  EXPECT_EQ(RunKernel1("PopulationCount", {MakeScalar<int16_t>(-1)}).scalar<uint8_t>(), 16);
  EXPECT_EQ(RunKernel1("Invert", {MakeScalar<uint8_t>(5)}).scalar<uint8_t>(), 250);
  EXPECT_EQ(RunKernel1("BitwiseXor", {MakeScalar<int64_t>(6), MakeScalar<int64_t>(3)}).scalar<int64_t>(), 5);
}

template <class T>
Tensor VectorOf(const std::vector<T>& values) {
  return MakeTensor<T>(Shape{std::ssize(values)}, std::span<const T>(values));
}

// Bits that no formula of the fast path counts: one after the other.
template <class T>
void ExpectBitsOfEveryLength() {
  for (int64_t n = 0; n <= 67; ++n) {
    std::vector<T> x, y, both, either, one, neither;
    std::vector<uint8_t> counts;
    for (int64_t i = 0; i < n; ++i) {
      const auto a = static_cast<T>(0x9e3779b97f4a7c15 * static_cast<uint64_t>(i));
      const auto b = static_cast<T>(0xc6a4a7935bd1e995 * static_cast<uint64_t>(i + 1));
      x.push_back(a);
      y.push_back(b);
      both.push_back(static_cast<T>(a & b));
      either.push_back(static_cast<T>(a | b));
      one.push_back(static_cast<T>(a ^ b));
      neither.push_back(static_cast<T>(~a));
      counts.push_back(static_cast<uint8_t>(std::bitset<64>(static_cast<std::make_unsigned_t<T>>(a)).count()));
    }
    ASSERT_EQ(Values<T>(RunKernel1("BitwiseAnd", {VectorOf(x), VectorOf(y)})), both);
    ASSERT_EQ(Values<T>(RunKernel1("BitwiseOr", {VectorOf(x), VectorOf(y)})), either);
    ASSERT_EQ(Values<T>(RunKernel1("BitwiseXor", {VectorOf(x), VectorOf(y)})), one);
    ASSERT_EQ(Values<T>(RunKernel1("Invert", {VectorOf(x)})), neither);
    ASSERT_EQ(Values<uint8_t>(RunKernel1("PopulationCount", {VectorOf(x)})), counts);
  }
}

TEST(Math, BitsOfEveryTypeAndLength) {
  ExpectBitsOfEveryLength<int8_t>();
  ExpectBitsOfEveryLength<int16_t>();
  ExpectBitsOfEveryLength<int32_t>();
  ExpectBitsOfEveryLength<int64_t>();
  ExpectBitsOfEveryLength<uint8_t>();
  ExpectBitsOfEveryLength<uint16_t>();
  ExpectBitsOfEveryLength<uint32_t>();
  ExpectBitsOfEveryLength<uint64_t>();
}

}  // namespace
}  // namespace plumb::fast::cpu
