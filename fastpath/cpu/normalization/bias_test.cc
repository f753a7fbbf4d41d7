#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;

TEST(BiasAdd, RunsAlongTheChannels) {
  const Tensor x = MakeTensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}), bias = MakeVector<float>({10, 20, 30});
  EXPECT_EQ(Values<float>(RunKernel1("BiasAdd", {x, bias})), Floats({11, 22, 33, 14, 25, 36}));
  EXPECT_EQ(Values<float>(RunKernel1("BiasAddV1", {x, bias})), Floats({11, 22, 33, 14, 25, 36}));
  const Tensor image = MakeTensor<int32_t>({1, 2, 1, 2}, {1, 2, 3, 4});
  const AttrMap nchw = {{"data_format", "NCHW"}};
  EXPECT_EQ(Values<int32_t>(RunKernel1("BiasAdd", {image, MakeVector<int32_t>({10, 20})}, nchw)),
            (std::vector<int32_t>{11, 12, 23, 24}));
  const Tensor half = MakeTensor<Half>({1, 1}, {Half(1.5f)});
  EXPECT_EQ(static_cast<float>(Values<Half>(RunKernel1("BiasAdd", {half, MakeVector<Half>({Half(2)})}))[0]), 3.5f);
}

TEST(BiasAdd, RefusesWhatDoesNotFit) {
  const Tensor x = Zeros(DType::kFloat, {2, 3});
  EXPECT_EQ(CodeOfKernel("BiasAdd", {x, Zeros(DType::kFloat, {2})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("BiasAdd", {x, Zeros(DType::kFloat, {1, 3})}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("BiasAdd", {Zeros(DType::kFloat, {3}), Zeros(DType::kFloat, {3})}), Code::kInvalidArgument);
}

TEST(BiasAddGrad, SumsOverEverythingElse) {
  const Tensor dy = MakeTensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(Values<float>(RunKernel1("BiasAddGrad", {dy})), Floats({5, 7, 9}));
  const Tensor image = MakeTensor<float>({2, 2, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(Values<float>(RunKernel1("BiasAddGrad", {image}, {{"data_format", "NCHW"}})), Floats({14, 22}));
  EXPECT_EQ(Values<float>(RunKernel1("BiasAddGrad", {Zeros(DType::kFloat, {0, 2})})), Floats({0, 0}));
  EXPECT_EQ(CodeOfKernel("BiasAddGrad", {Zeros(DType::kFloat, {3})}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
