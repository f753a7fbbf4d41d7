#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

TEST(Math, ClipByValueTakesTheLowerLimitLast) {
  using F = std::vector<float>;
  const Tensor t = MakeVector<float>({-3, 0, 3}), low = MakeScalar(-1.0f), high = MakeScalar(2.0f);
  EXPECT_EQ(Values<float>(RunKernel1("ClipByValue", {t, low, high})), (F{-1, 0, 2}));
  EXPECT_EQ(Values<float>(RunKernel1("ClipByValue", {t, high, low})), (F{2, 2, 2}));
  EXPECT_EQ(Values<float>(RunKernel1("ClipByValue", {t, MakeVector<float>({-4, 1, 0}), high})), (F{-3, 1, 2}));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(RunKernel1("ClipByValue", {MakeScalar(nan), low, high}).scalar<float>()));
  EXPECT_EQ(CodeOfKernel("ClipByValue", {t, MakeVector<float>({1}), high}), Code::kInvalidArgument);
}

TEST(Math, ClipByValueTakesThePartsOfComplexNumbersApart) {
  using C = std::complex<float>;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor t = MakeVector<C>({{1, 2}, {3, -1}, {-5, 0}});
  EXPECT_EQ(Values<C>(RunKernel1("ClipByValue", {t, MakeScalar<C>({0, 1}), MakeScalar<C>({2, 0})})),
            (std::vector<C>{{1, 1}, {2, 1}, {0, 1}}));
  EXPECT_EQ(
      Values<C>(RunKernel1("ClipByValue", {t, MakeScalar<C>({nan, -1}), MakeVector<C>({{1, nan}, {1, 0}, {1, 1}})})),
      (std::vector<C>{{1, 2}, {1, -1}, {-5, 0}}));
}

TEST(Math, ClipByValueWorksPieceByPiece) {
  for (const int64_t n : {4095, 4096, 4097, 8193}) {
    Tensor t(DType::kInt32, Shape({n}));
    for (int64_t i = 0; i < n; ++i) t.mutable_data<int32_t>()[static_cast<size_t>(i)] = static_cast<int32_t>(i % 100);
    const Tensor clipped = RunKernel1("ClipByValue", {t, MakeScalar(10), MakeScalar(20)});
    for (int64_t i = 0; i < n; ++i) {
      ASSERT_EQ(clipped.data<int32_t>()[static_cast<size_t>(i)], std::min<int64_t>(20, std::max<int64_t>(10, i % 100)));
    }
  }
}

}  // namespace
}  // namespace plumb::fast::cpu
