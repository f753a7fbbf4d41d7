#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
using F = std::vector<float>;

// Small integers, so that every order of addition gives the same sum.
Tensor Digits(const Shape& shape) {
  Tensor x(DType::kFloat, shape);
  int64_t i = 0;
  for (float& value : x.mutable_data<float>()) value = static_cast<float>(i++ * 7 % 10);
  return x;
}

TEST(Softmax, RowsAddUpToOneAndLogSoftmaxIsItsLogarithm) {
  for (const int64_t n : {1, 3, 16, 17, 100}) {
    const Tensor x = Digits({3, n});
    const Tensor y = RunKernel1("Softmax", {x}), log_y = RunKernel1("LogSoftmax", {x});
    for (int64_t row = 0; row < 3; ++row) {
      double sum = 0, exps = 0;
      for (int64_t i = 0; i < n; ++i)
        exps += std::exp(static_cast<double>(x.data<float>()[static_cast<size_t>(row * n + i)]));
      for (int64_t i = 0; i < n; ++i) {
        const auto at = static_cast<size_t>(row * n + i);
        const double exact = std::exp(static_cast<double>(x.data<float>()[at])) / exps;
        sum += y.data<float>()[at];
        // exp and division keep 4 units; the sum of n positive terms n at most; logarithms up to 2⁴ double them.
        const double bound = static_cast<double>(n + 4) * 0x1p-23;
        ASSERT_LE(std::abs(y.data<float>()[at] - exact), bound * exact);
        ASSERT_LE(std::abs(log_y.data<float>()[at] - std::log(exact)), bound * 16);
      }
      EXPECT_LE(std::abs(sum - 1), static_cast<double>(n + 4) * 0x1p-23);
    }
  }
  EXPECT_TRUE(std::isnan(RunKernel1("Softmax", {MakeVector<float>({kInf, 1})}).data<float>()[0]));
  EXPECT_TRUE(std::isnan(RunKernel1("Softmax", {MakeVector<float>({-kInf, -kInf})}).data<float>()[0]));
  EXPECT_EQ(Values<float>(RunKernel1("Softmax", {MakeVector<float>({1000, 1000})})), (F{0.5f, 0.5f}));
  EXPECT_EQ(CodeOfKernel("Softmax", {MakeScalar(1.0f)}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
