#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
using F = std::vector<float>;

// The distance of `value` from `exact` in units in the last place of T.
template <class T>
double UlpsFrom(T value, long double exact) {
  const double ulp = std::nextafter(std::abs(static_cast<T>(exact)), std::numeric_limits<T>::infinity()) -
                     std::abs(static_cast<T>(exact));
  return static_cast<double>(std::abs(static_cast<long double>(value) - exact) / ulp);
}

Tensor Ramp(int64_t n, float from, float step) {
  Tensor x(DType::kFloat, Shape({n}));
  for (int64_t i = 0; i < n; ++i) x.mutable_data<float>()[static_cast<size_t>(i)] = from + step * static_cast<float>(i);
  return x;
}

TEST(Math, ElementaryFunctionsStayWithinTheirClassOfUlps) {
  // N4: what TensorFlow's own kernels keep.
  struct Row {
    const char* op;
    long double (*exact)(long double);
    double ulps;
    float from, step;
  };
  const Row rows[] = {
      {"Exp", std::exp, 2, -80, 0.0397f},
      {"Log", std::log, 4, 0.01f, 0.0397f},
      {"Log1p", std::log1p, 4, -0.9f, 0.0397f},
      {"Tanh", std::tanh, 8, -20, 0.0103f},
      {"Sqrt", std::sqrt, 0.5, 0.01f, 1.7f},
      {"Rsqrt", [](long double x) { return 1 / std::sqrt(x); }, 4, 0.01f, 1.7f},
      {"Sigmoid", [](long double x) { return 1 / (1 + std::exp(-x)); }, 4, -80, 0.0397f},
  };
  for (const Row& row : rows) {
    const Tensor x = Ramp(4001, row.from, row.step), y = RunKernel1(row.op, {x});
    const Tensor wide = RunKernel1(row.op, {RunKernel1("Cast", {x}, {{"DstT", DType::kDouble}})});
    for (size_t i = 0; i < 4001; ++i) {
      const long double exact = row.exact(x.data<float>()[i]);
      ASSERT_LE(UlpsFrom(y.data<float>()[i], exact), row.ulps) << row.op << "(" << x.data<float>()[i] << ")";
      ASSERT_LE(UlpsFrom(wide.data<double>()[i], exact), row.ulps) << row.op << " of " << x.data<float>()[i];
    }
  }
}

TEST(Math, ElementaryFunctionsAreCompleteAtTheEndsOfTheirRange) {
  const Tensor x = MakeVector<float>({-kInf, -200, 0, 200, kInf});
  EXPECT_EQ(Values<float>(RunKernel1("Exp", {x})), (F{0, 0, 1, kInf, kInf}));
  EXPECT_EQ(Values<float>(RunKernel1("Sigmoid", {x})), (F{0, 0, 0.5f, 1, 1}));
  EXPECT_EQ(Values<float>(RunKernel1("Tanh", {x})), (F{-1, -1, 0, 1, 1}));
  const Tensor logs = RunKernel1("Log", {MakeVector<float>({0, 1, kInf})});
  EXPECT_EQ(Values<float>(logs), (F{-kInf, 0, kInf}));
  EXPECT_EQ(Values<float>(RunKernel1("Log1p", {MakeVector<float>({-1, 0, kInf})})), (F{-kInf, 0, kInf}));
  for (const char* op : {"Exp", "Log", "Log1p", "Tanh", "Sigmoid", "Sqrt", "Rsqrt", "Relu", "Neg", "Abs", "Sign"}) {
    EXPECT_TRUE(std::isnan(RunKernel1(op, {MakeScalar(kNaN)}).scalar<float>())) << op;
  }
  for (const char* op : {"Log", "Sqrt", "Rsqrt"}) {
    EXPECT_TRUE(std::isnan(RunKernel1(op, {MakeScalar(-2.0f)}).scalar<float>())) << op;
  }
  EXPECT_TRUE(std::isnan(RunKernel1("Log1p", {MakeScalar(-2.0f)}).scalar<float>()));
}

TEST(Math, PowersOfIntegersWrapAndRefuseNegativeExponents) {
  EXPECT_EQ(RunKernel1("Pow", {MakeScalar<int64_t>(3), MakeScalar<int64_t>(5)}).scalar<int64_t>(), 243);
  EXPECT_EQ(RunKernel1("Pow", {MakeScalar<int32_t>(2), MakeScalar<int32_t>(33)}).scalar<int32_t>(), 0);
  EXPECT_EQ(CodeOfKernel("Pow", {MakeScalar<int32_t>(2), MakeScalar<int32_t>(-1)}), Code::kInvalidArgument);
  EXPECT_EQ(Values<float>(RunKernel1("Pow", {MakeVector<float>({3, 4}), MakeVector<float>({2, 0.5f})})), (F{9, 2}));
}

TEST(Math, AZeroGradientOfARootIsZero) {  // N18
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor y = MakeVector<float>({0, inf, 2}), dy = MakeVector<float>({0, 0, 8});
  EXPECT_EQ(Values<float>(RunKernel1("SqrtGrad", {y, dy})), (F{0, 0, 2}));
  EXPECT_EQ(Values<float>(RunKernel1("RsqrtGrad", {y, dy})), (F{0, 0, -32}));
  const Tensor zero = MakeScalar(std::complex<double>(0));
  EXPECT_EQ(RunKernel1("SqrtGrad", {zero, zero}).scalar<std::complex<double>>(), std::complex<double>(0));
}

TEST(Math, ComplexLog1pKeepsTheSideOfTheCut) {
  const auto log1p = [](double imaginary) {
    return RunKernel1("Log1p", {MakeScalar(std::complex<double>(-2, imaginary))}).scalar<std::complex<double>>();
  };
  EXPECT_GT(log1p(0.0).imag(), 3);
  EXPECT_LT(log1p(-0.0).imag(), -3);
}

}  // namespace
}  // namespace plumb::fast::cpu
