#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <utility>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using F = std::vector<float>;

Tensor Ramp(int64_t n, float from, float step) {
  Tensor x(DType::kFloat, Shape({n}));
  for (int64_t i = 0; i < n; ++i) x.mutable_data<float>()[static_cast<size_t>(i)] = from + step * static_cast<float>(i);
  return x;
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

TEST(Math, AxesTakeTurnsFiveTimesInBroadcasting) {  // T10
  const auto code = [](const Shape& x, const Shape& y) {
    return CodeOfKernel("Add", {Zeros(DType::kFloat, x), Zeros(DType::kFloat, y)});
  };
  EXPECT_EQ(code({2, 1, 2, 1, 2}, {1, 2, 1, 2, 1}), Code::kOk);
  const Shape six({2, 1, 2, 1, 2, 1}), other({1, 2, 1, 2, 1, 2}), all({2, 2, 2, 2, 2, 2});
  EXPECT_EQ(code(six, other), Code::kUnimplemented);
  for (const Shape& every_second : {six, other}) {
    EXPECT_EQ(code(all, every_second), Code::kUnimplemented);
    EXPECT_EQ(code(every_second, all), Code::kUnimplemented);
  }
  EXPECT_EQ(code({2, 2, 1, 1, 2, 3, 1, 2, 1}, {1, 1, 2, 1, 2, 3, 2, 1, 1}), Code::kOk) << "neighbours turn as one";
  EXPECT_EQ(code({2, 1, 2, 1, 0, 1}, {1, 2, 1, 2, 1, 2}), Code::kOk) << "there is nothing to compute";
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

TEST(Math, GradientsFollowFromTheOutput) {
  const Tensor y = MakeVector<float>({0.5f, 0.25f}), dy = MakeVector<float>({2, 4});
  EXPECT_EQ(Values<float>(RunKernel1("TanhGrad", {y, dy})), (F{1.5f, 3.75f}));
  EXPECT_EQ(Values<float>(RunKernel1("SigmoidGrad", {y, dy})), (F{0.5f, 0.75f}));
  EXPECT_EQ(Values<float>(RunKernel1("SqrtGrad", {y, dy})), (F{2, 8}));
  EXPECT_EQ(Values<float>(RunKernel1("RsqrtGrad", {y, dy})), (F{-0.125f, -0.03125f}));
  EXPECT_EQ(Values<float>(RunKernel1("ReluGrad", {dy, MakeVector<float>({0, 1})})), (F{0, 4}));
  EXPECT_EQ(CodeOfKernel("ReluGrad", {dy, MakeTensor<float>({1, 2}, {0, 1})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("TanhGrad", {y, MakeScalar(1.0f)}), Code::kInvalidArgument);
}

TEST(Math, ATypeWithoutAKernelIsRefused) {
  EXPECT_EQ(CodeOfKernel("Maximum", {MakeScalar(std::complex<float>(1)), MakeScalar(std::complex<float>(1))}),
            Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("RealDiv", {MakeScalar(1), MakeScalar(1)}), Code::kInvalidArgument);
}

// Short rows are laid out in blocks of 4096 bytes: 64 rows of 16 numbers, 341 of 3, 512 of 2, 8 of 127.
TEST(Math, BlocksOfShortRowsGiveTheSameAsWrittenOutOperands) {
  struct Case {
    int64_t width, block;
  };
  for (const Case& of : {Case{16, 64}, Case{3, 341}, Case{2, 512}, Case{127, 8}}) {
    for (const int64_t rows : {of.block - 1, of.block, of.block + 1, 2 * of.block, 2 * of.block + 1}) {
      const Tensor row = Ramp(of.width, 100, 2), column = Ramp(rows, -3, 1).Reshaped({rows, 1});
      const Tensor matrix = Ramp(rows * of.width, 0, 1).Reshaped({rows, of.width});
      const Tensor sum = RunKernel1("Add", {column, row}), difference = RunKernel1("Sub", {matrix, row});
      for (int64_t i = 0; i < rows * of.width; ++i) {
        const float r = 100 + 2 * static_cast<float>(i % of.width), c = -3 + static_cast<float>(i / of.width);
        ASSERT_EQ(sum.data<float>()[static_cast<size_t>(i)], c + r) << rows << " rows of " << of.width;
        ASSERT_EQ(difference.data<float>()[static_cast<size_t>(i)], static_cast<float>(i) - r);
      }
    }
  }
}

TEST(Math, ASingleNumberOnEitherSideMeetsEveryElement) {
  const Tensor seven = MakeScalar(7.0f), x = Ramp(5, 0, 1);
  EXPECT_EQ(Values<float>(RunKernel1("Sub", {x, seven})), (F{-7, -6, -5, -4, -3}));
  EXPECT_EQ(Values<float>(RunKernel1("Sub", {seven, x})), (F{7, 6, 5, 4, 3}));
  EXPECT_EQ(Values<float>(RunKernel1("Sub", {seven, MakeScalar(2.0f)})), (F{5}));
  const Tensor corner = seven.Reshaped({1, 1});
  EXPECT_EQ(RunKernel1("Sub", {corner, x}).shape(), Shape({1, 5}));
  EXPECT_EQ(Values<float>(RunKernel1("Sub", {corner, x})), (F{7, 6, 5, 4, 3}));
  EXPECT_EQ(Values<float>(RunKernel1("Sub", {x, corner})), (F{-7, -6, -5, -4, -3}));
}

}  // namespace
}  // namespace plumb::fast::cpu
