#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Number = std::complex<double>;

AttrMap With(bool vectors) { return {{"compute_v", vectors}, {"Tout", DType::kComplex128}}; }

TEST(GeneralEigen, ValuesAscendInSizeAndVectorsHaveTheirOrder) {
  const Tensor matrix = MakeTensor<double>({2, 2}, {3, 2, 0, 1});
  const auto parts = RunKernel("Eig", {matrix}, With(true));
  const auto e = Values<Number>(parts[0]), v = Values<Number>(parts[1]);
  EXPECT_DOUBLE_EQ(e[0].real(), 1);
  EXPECT_DOUBLE_EQ(e[1].real(), 3);
  // (1, −1)/√2 and (1, 0), whatever their signs.
  EXPECT_DOUBLE_EQ((v[0] / v[2]).real(), -1);
  EXPECT_DOUBLE_EQ(std::abs(v[2]), std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(std::abs(v[1]), 1);
  EXPECT_EQ(std::abs(v[3]), 0);
  EXPECT_EQ(RunKernel("Eig", {matrix}, With(false))[1].shape(), Shape({0}));
}

TEST(GeneralEigen, RotationsHaveImaginaryValues) {
  const auto e = Values<Number>(RunKernel("Eig", {MakeTensor<double>({2, 2}, {0, -2, 2, 0})}, With(false))[0]);
  EXPECT_DOUBLE_EQ(std::abs(e[0].imag()), 2);
  EXPECT_EQ(e[0], std::conj(e[1]));
  // Elements whose squares are beyond the range.
  const auto large =
      Values<Number>(RunKernel("Eig", {MakeTensor<double>({2, 2}, {0, -1e300, 1e300, 0})}, With(true))[0]);
  EXPECT_DOUBLE_EQ(std::abs(large[0].imag()), 1e300);
}

TEST(GeneralEigen, TakesWhatIsFinite) {
  const auto code = [](const Shape& shape, const std::vector<double>& values) {
    return CodeOfKernel("Eig", {MakeTensor<double>(shape, values)}, With(true));
  };
  EXPECT_EQ(code({1, 1}, {INFINITY}), Code::kInvalidArgument);
  EXPECT_EQ(code({2, 2}, {1, 0, 0, INFINITY}), Code::kInvalidArgument);
  EXPECT_EQ(code({2, 2}, {1, NAN, 0, 1}), Code::kInvalidArgument);
  EXPECT_EQ(code({2, 1}, {1, 1}), Code::kInvalidArgument);
  EXPECT_EQ(code({0, 0}, {}), Code::kOk);
}

}  // namespace
}  // namespace plumb::fast::cpu
