#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <utility>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(Math, CastWrapsAndSaturatesAsX86Does) {
  const auto cast = [](Tensor x, DType to, bool truncate = false) {
    return RunKernel1("Cast", {std::move(x)}, {{"DstT", to}, {"Truncate", truncate}});
  };
  EXPECT_EQ(cast(MakeScalar(255.0f), DType::kInt8).scalar<int8_t>(), -1);
  EXPECT_EQ(cast(MakeScalar(3e9f), DType::kInt32).scalar<int32_t>(), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(cast(MakeScalar(kNaN), DType::kInt64).scalar<int64_t>(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(cast(MakeScalar(-1.0), DType::kUint64).scalar<uint64_t>(), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(cast(MakeScalar(1e19), DType::kUint64).scalar<uint64_t>(), 10000000000000000000u);
  EXPECT_EQ(cast(MakeScalar(0.5f), DType::kBool).scalar<bool>(), true);
  EXPECT_EQ(cast(MakeScalar(std::complex<float>(2, 3)), DType::kInt32).scalar<int32_t>(), 2);
  // 1 + 2⁻⁷ and half a unit more in bfloat16: rounding goes up, truncation down.
  const float between = 1 + 0x1p-7f + 0x1.8p-8f;
  EXPECT_EQ(static_cast<float>(cast(MakeScalar(between), DType::kBfloat16).scalar<BFloat16>()), 1 + 0x1p-6f);
  EXPECT_EQ(static_cast<float>(cast(MakeScalar(between), DType::kBfloat16, true).scalar<BFloat16>()), 1 + 0x1p-7f);
}

TEST(Math, QuantisedValuesAreCastAsTheirIntegers) {
  const AttrMap to_float = {{"DstT", DType::kFloat}}, to_quint8 = {{"DstT", DType::kQuint8}};
  EXPECT_EQ(RunKernel1("Cast", {MakeScalar(Qint8{-3})}, to_float).scalar<float>(), -3);
  EXPECT_EQ(RunKernel1("Cast", {MakeScalar(200.0f)}, to_quint8).scalar<Quint8>().value, 200);
  EXPECT_EQ(CodeOfKernel("Cast", {MakeScalar(std::string("1"))}, to_float), Code::kUnimplemented);
}

TEST(Math, NanBecomesTheSmallestSignedInteger) {
  const Tensor nan = MakeScalar(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(RunKernel1("Cast", {nan}, {{"DstT", DType::kInt64}}).scalar<int64_t>(), INT64_MIN);
  EXPECT_EQ(RunKernel1("Cast", {nan}, {{"DstT", DType::kUint64}}).scalar<uint64_t>(), uint64_t{1} << 63);
}

}  // namespace
}  // namespace plumb::fast::cpu
