// Laws of the elementwise kernels, with values computed by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "fastpath/cpu/lib/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

template <class T>
std::vector<T> Values(const Tensor& tensor) {
  const auto values = tensor.data<T>();
  return {values.begin(), values.end()};
}
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

TEST(Math, EveryTailLengthIsComputedWhole) {
  for (int64_t n = 0; n <= 67; ++n) {
    const Tensor x = Ramp(n, 1, 1), sum = RunKernel1("AddV2", {x, x});
    const Tensor square = RunKernel1("Square", {x}), less = RunKernel1("Sub", {MakeScalar(1.0f), x});
    for (int64_t i = 0; i < n; ++i) {
      const float value = static_cast<float>(i + 1);
      EXPECT_EQ(sum.data<float>()[static_cast<size_t>(i)], 2 * value);
      EXPECT_EQ(square.data<float>()[static_cast<size_t>(i)], value * value);
      EXPECT_EQ(less.data<float>()[static_cast<size_t>(i)], 1 - value);
    }
  }
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

TEST(Math, MaximumPropagatesNaNFromEitherSideAndKeepsTheFirstOfEquals) {
  const Tensor x = MakeVector<float>({kNaN, 1, 0.0f, -0.0f, 3}), y = MakeVector<float>({1, kNaN, -0.0f, 0.0f, 2});
  const Tensor max = RunKernel1("Maximum", {x, y}), min = RunKernel1("Minimum", {x, y});
  EXPECT_TRUE(std::isnan(max.data<float>()[0]) && std::isnan(max.data<float>()[1]));
  EXPECT_TRUE(std::isnan(min.data<float>()[0]) && std::isnan(min.data<float>()[1]));
  EXPECT_FALSE(std::signbit(max.data<float>()[2]));
  EXPECT_TRUE(std::signbit(max.data<float>()[3]));
  EXPECT_EQ(max.data<float>()[4], 3);
  EXPECT_EQ(min.data<float>()[4], 2);
}

TEST(Math, ShapesBroadcastFromTheRight) {
  const Tensor matrix = MakeTensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(Values<float>(RunKernel1("Add", {matrix, MakeVector<float>({10, 20, 30})})), (F{11, 22, 33, 14, 25, 36}));
  EXPECT_EQ(Values<float>(RunKernel1("Sub", {MakeTensor<float>({2, 1}, {10, 20}), matrix})), (F{9, 8, 7, 16, 15, 14}));
  const Tensor outer = RunKernel1("Mul", {MakeTensor<float>({3, 1}, {1, 2, 3}), MakeTensor<float>({1, 2}, {5, 7})});
  EXPECT_EQ(outer.shape(), Shape({3, 2}));
  EXPECT_EQ(Values<float>(outer), (F{5, 7, 10, 14, 15, 21}));
  EXPECT_EQ(RunKernel1("Add", {MakeScalar(1.0f), MakeTensor<float>({1, 1}, {2})}).shape(), Shape({1, 1}));
  EXPECT_EQ(RunKernel1("Add", {Zeros(DType::kFloat, {0, 3}), MakeVector<float>({1, 2, 3})}).shape(), Shape({0, 3}));
  EXPECT_EQ(CodeOfKernel("Add", {matrix, MakeVector<float>({1, 2})}), Code::kInvalidArgument);
}

TEST(Math, BroadcastRowsOfAnyLengthGiveTheSameAsWrittenOutOperands) {
  for (const int64_t width : {1, 3, 17, 127, 128, 130, 1000}) {
    const Tensor x = Ramp(7 * width, 0, 1).Reshaped({7, width}), row = Ramp(width, 100, 2);
    const Tensor column = Ramp(7, -3, 1).Reshaped({7, 1});
    const Tensor a = RunKernel1("Mul", {x, row}), b = RunKernel1("Sub", {column, x}),
                 c = RunKernel1("Add", {row, column});
    for (int64_t i = 0; i < 7 * width; ++i) {
      const float value = static_cast<float>(i), r = 100 + 2 * static_cast<float>(i % width);
      const float k = -3 + static_cast<float>(i / width);
      ASSERT_EQ(a.data<float>()[static_cast<size_t>(i)], value * r);
      ASSERT_EQ(b.data<float>()[static_cast<size_t>(i)], k - value);
      ASSERT_EQ(c.data<float>()[static_cast<size_t>(i)], r + k);
    }
  }
}

TEST(Math, ResultsDoNotDependOnTheNumberOfThreads) {
  const Tensor x = Ramp(300007, -4, 1e-4f), row = Ramp(1001, 0, 0.5f),
               matrix = Ramp(1001 * 301, 1, 0.25f).Reshaped({301, 1001});
  EXPECT_TRUE(RunKernel1("Tanh", {x}, {}, 1).BitwiseEquals(RunKernel1("Tanh", {x}, {}, 4)));
  EXPECT_TRUE(RunKernel1("Mul", {matrix, row}, {}, 1).BitwiseEquals(RunKernel1("Mul", {matrix, row}, {}, 3)));
}

TEST(Math, AnInputNobodyElseHoldsIsOverwritten) {
  Tensor x = Ramp(100, 0, 1);
  const void* buffer = x.raw();
  std::vector<Tensor> inputs(1);
  inputs[0] = std::move(x);
  EXPECT_EQ(RunKernel1("Neg", std::move(inputs)).raw(), buffer);
  Tensor y = Ramp(100, 0, 1);
  const Tensor kept = y;
  EXPECT_NE(RunKernel1("Neg", {std::move(y)}).raw(), kept.raw());
  EXPECT_EQ(kept.data<float>()[5], 5);
}

TEST(Math, IntegersWrapAndDivideAsTensorFlowDoes) {
  const int32_t least = std::numeric_limits<int32_t>::min();
  EXPECT_EQ(RunKernel1("Add", {MakeScalar(std::numeric_limits<int32_t>::max()), MakeScalar(1)}).scalar<int32_t>(),
            least);
  EXPECT_EQ(RunKernel1("Neg", {MakeScalar(least)}).scalar<int32_t>(), least);
  EXPECT_EQ(RunKernel1("Div", {MakeScalar(least), MakeScalar(-1)}).scalar<int32_t>(), least);
  using I = std::vector<int32_t>;
  const Tensor x = MakeVector<int32_t>({7, -7, 7, -7}), y = MakeVector<int32_t>({2, 2, -2, -2});
  EXPECT_EQ(Values<int32_t>(RunKernel1("Div", {x, y})), (I{3, -3, -3, 3}));
  EXPECT_EQ(Values<int32_t>(RunKernel1("FloorDiv", {x, y})), (I{3, -4, -4, 3}));
  EXPECT_EQ(Values<int32_t>(RunKernel1("FloorMod", {x, y})), (I{1, 1, -1, -1}));
  EXPECT_EQ(Values<float>(RunKernel1("FloorMod", {MakeVector<float>({7, -7}), MakeScalar(2.5f)})), (F{2, 0.5f}));
  for (const char* op : {"Div", "FloorDiv", "FloorMod"}) {
    EXPECT_EQ(CodeOfKernel(op, {x, MakeScalar(0)}), Code::kInvalidArgument) << op;
  }
}

TEST(Math, PowersOfIntegersWrapAndRefuseNegativeExponents) {
  EXPECT_EQ(RunKernel1("Pow", {MakeScalar<int64_t>(3), MakeScalar<int64_t>(5)}).scalar<int64_t>(), 243);
  EXPECT_EQ(RunKernel1("Pow", {MakeScalar<int32_t>(2), MakeScalar<int32_t>(33)}).scalar<int32_t>(), 0);
  EXPECT_EQ(CodeOfKernel("Pow", {MakeScalar<int32_t>(2), MakeScalar<int32_t>(-1)}), Code::kInvalidArgument);
  EXPECT_EQ(Values<float>(RunKernel1("Pow", {MakeVector<float>({3, 4}), MakeVector<float>({2, 0.5f})})), (F{9, 2}));
}

TEST(Math, HalfIsComputedInFloatAndRoundedOnce) {
  Tensor x(DType::kHalf, {3}), y(DType::kBfloat16, {});
  const float values[] = {1, 2, 2048};
  for (size_t i = 0; i < 3; ++i) x.mutable_data<Half>()[i] = Half(values[i]);
  const Tensor sum = RunKernel1("Add", {x, x});
  EXPECT_EQ(static_cast<float>(sum.data<Half>()[2]), 4096);
  EXPECT_EQ(static_cast<float>(RunKernel1("Exp", {x}).data<Half>()[0]), static_cast<float>(Half(std::exp(1.0f))));
  const Tensor n = RunKernel1("AddN", {x, x, x});
  EXPECT_EQ(static_cast<float>(n.data<Half>()[1]), 6);
  EXPECT_EQ(Values<bool>(RunKernel1("Less", {x, x})), (std::vector<bool>{false, false, false}));
}

TEST(Math, ComparisonsAnswerBoolForEveryKindOfElement) {
  using B = std::vector<bool>;
  EXPECT_EQ(Values<bool>(RunKernel1("Less", {MakeVector<float>({1, 2, kNaN}), MakeScalar(2.0f)})),
            (B{true, false, false}));
  EXPECT_EQ(Values<bool>(RunKernel1("Equal", {MakeVector<std::string>({"a", "b"}), MakeScalar<std::string>("b")})),
            (B{false, true}));
  EXPECT_EQ(CodeOfKernel("Equal", {MakeVector<int32_t>({1, 2}), MakeVector<int32_t>({1, 2, 3})}),
            Code::kInvalidArgument);
  const AttrMap tolerant = {{"incompatible_shape_error", false}};
  const std::vector<Tensor> unlike = {MakeVector<int32_t>({1, 2}), MakeVector<int32_t>({1, 2, 3})};
  EXPECT_FALSE(RunKernel1("Equal", unlike, tolerant).scalar<bool>());
  EXPECT_TRUE(RunKernel1("NotEqual", unlike, tolerant).scalar<bool>());
}

TEST(Math, SelectTakesAScalarAVectorOfRowsOrAFullCondition) {
  const Tensor t = MakeTensor<int32_t>({2, 2}, {1, 2, 3, 4}), e = MakeTensor<int32_t>({2, 2}, {5, 6, 7, 8});
  using I = std::vector<int32_t>;
  EXPECT_EQ(Values<int32_t>(RunKernel1("Select", {MakeScalar(false), t, e})), (I{5, 6, 7, 8}));
  EXPECT_EQ(Values<int32_t>(RunKernel1("Select", {MakeVector<bool>({true, false}), t, e})), (I{1, 2, 7, 8}));
  EXPECT_EQ(Values<int32_t>(RunKernel1("Select", {MakeTensor<bool>({2, 2}, {true, false, false, true}), t, e})),
            (I{1, 6, 7, 4}));
  EXPECT_EQ(CodeOfKernel("Select", {MakeVector<bool>({true}), t, e}), Code::kInvalidArgument);
}

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

TEST(Math, GradientsFollowFromTheOutput) {
  const Tensor y = MakeVector<float>({0.5f, 0.25f}), dy = MakeVector<float>({2, 4});
  EXPECT_EQ(Values<float>(RunKernel1("TanhGrad", {y, dy})), (F{1.5f, 3.75f}));
  EXPECT_EQ(Values<float>(RunKernel1("SigmoidGrad", {y, dy})), (F{0.5f, 0.75f}));
  EXPECT_EQ(Values<float>(RunKernel1("SqrtGrad", {y, dy})), (F{2, 8}));
  EXPECT_EQ(Values<float>(RunKernel1("RsqrtGrad", {y, dy})), (F{-0.125f, -0.03125f}));
  EXPECT_EQ(Values<float>(RunKernel1("ReluGrad", {dy, MakeVector<float>({0, 1})})), (F{0, 4}));
  EXPECT_EQ(CodeOfKernel("TanhGrad", {y, MakeScalar(1.0f)}), Code::kInvalidArgument);
}

TEST(Math, AddNAddsTensorsOfOneShape) {
  const Tensor x = Ramp(9000, 0, 1);
  const Tensor sum = RunKernel1("AddN", {x, x, x}, {}, 2);
  for (size_t i = 0; i < 9000; ++i) ASSERT_EQ(sum.data<float>()[i], 3 * static_cast<float>(i));
  EXPECT_EQ(CodeOfKernel("AddN", {x, MakeScalar(1.0f)}), Code::kInvalidArgument);
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

TEST(Math, ATypeWithoutAKernelIsRefused) {
  EXPECT_EQ(CodeOfKernel("Maximum", {MakeScalar(std::complex<float>(1)), MakeScalar(std::complex<float>(1))}),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("RealDiv", {MakeScalar(1), MakeScalar(1)}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
