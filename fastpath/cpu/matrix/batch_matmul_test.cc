#include <gtest/gtest.h>

#include <complex>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
using Complex = std::complex<float>;

TEST(BatchMatMul, MultipliesMatrixByMatrix) {
  const Tensor x = MakeTensor<float>({2, 1, 2}, {1, 2, 3, 4}), y = MakeTensor<float>({2, 2, 1}, {1, 1, 2, 2});
  EXPECT_EQ(Values<float>(RunKernel1("BatchMatMul", {x, y})), Floats({3, 14}));
}

TEST(BatchMatMul, TheSecondFormBroadcasts) {
  const Tensor x = MakeTensor<float>({2, 1, 1, 2}, {1, 2, 3, 4}), y = MakeTensor<float>({3, 2, 1}, {1, 0, 0, 1, 1, 1});
  const Tensor product = RunKernel1("BatchMatMulV2", {x, y});
  EXPECT_EQ(product.shape(), Shape({2, 3, 1, 1}));
  EXPECT_EQ(Values<float>(product), Floats({1, 2, 3, 3, 4, 7}));
  EXPECT_EQ(CodeOfKernel("BatchMatMul", {x, y}), Code::kInvalidArgument);
  const Tensor z(DType::kFloat, {2, 2, 1});
  EXPECT_EQ(CodeOfKernel("BatchMatMulV2", {Tensor(DType::kFloat, {3, 1, 2}), z}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("BatchMatMulV2", {Tensor(DType::kFloat, {2}), z}), Code::kInvalidArgument);
}

TEST(BatchMatMul, TheAdjointConjugates) {
  const Tensor x = MakeTensor<Complex>({1, 1, 1}, {Complex(1, 2)}), y = MakeTensor<Complex>({1, 1, 1}, {Complex(3, 4)});
  const auto product = Values<Complex>(RunKernel1("BatchMatMul", {x, y}, {{"adj_x", true}}));
  EXPECT_EQ(product[0], Complex(11, -2));  // (1 - 2i)(3 + 4i)
}

TEST(BatchMatMul, AHugeBatchOfNothingIsNothing) {
  const int64_t many = int64_t{1} << 40;
  EXPECT_EQ(
      RunKernel1("BatchMatMulV2", {Tensor(DType::kFloat, {many, 0, 2}), Tensor(DType::kFloat, {2, 3})}).elements(), 0);
}

TEST(BatchMatMul, TheThirdFormTakesBytes) {
  const Tensor x = MakeTensor<int8_t>({1, 2}, {127, -128}), y = MakeTensor<uint8_t>({2, 2, 1}, {255, 1, 0, 2});
  const Tensor product = RunKernel1("BatchMatMulV3", {x, y}, {{"Tout", DType::kInt32}});
  EXPECT_EQ(product.shape(), Shape({2, 1, 1}));
  EXPECT_EQ(Values<int32_t>(product), (std::vector<int32_t>{127 * 255 - 128, -256}));
  const Tensor halves = MakeTensor<BFloat16>({2, 1}, {BFloat16(0.5F), BFloat16(2.0F)});
  const auto mixed = Values<BFloat16>(RunKernel1("BatchMatMulV3", {x, halves}, {{"Tout", DType::kBfloat16}}));
  EXPECT_EQ(static_cast<float>(mixed[0]), -192.0F);  // 63.5 - 256 has more digits than the type
  EXPECT_EQ(CodeOfKernel("BatchMatMulV3", {x, y}, {{"Tout", DType::kInt64}}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("BatchMatMulV3", {x, halves}, {{"Tout", DType::kFloat}}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
