#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

AttrMap Attrs(const char* padding, int64_t size, int64_t stride) {
  return {
      {"ksize", Ints{1, size, size, size, 1}}, {"strides", Ints{1, stride, stride, stride, 1}}, {"padding", padding}};
}
Tensor Line() { return MakeTensor<float>({1, 1, 1, 4, 1}, {1, 5, 5, 2}); }

TEST(Pool3D, TakesTheLargestAndTheMeanOfEachWindow) {
  EXPECT_EQ(Values<float>(RunKernel1("MaxPool3D", {Line()}, Attrs("SAME", 2, 2))), Floats({5, 5}));
  EXPECT_EQ(Values<float>(RunKernel1("AvgPool3D", {Line()}, Attrs("SAME", 2, 1))), Floats({3, 5, 3.5, 2}));
}

TEST(Pool3D, EveryElementThatComesCloseGetsTheGradient) {
  const Tensor y = MakeTensor<float>({1, 1, 1, 1, 1}, {5}), dy = MakeTensor<float>({1, 1, 1, 1, 1}, {3});
  const Tensor x = MakeTensor<float>({1, 1, 1, 4, 1}, {1, 5, 5, 4.999995F});
  EXPECT_EQ(Values<float>(RunKernel1("MaxPool3DGrad", {x, y, dy}, Attrs("SAME", 4, 4))), Floats({0, 3, 3, 3}));
  const Tensor values = MakeTensor<float>({1, 1, 1, 4, 1}, {10, 11, 12, 13});
  EXPECT_EQ(Values<float>(RunKernel1("MaxPool3DGradGrad", {x, y, values}, Attrs("SAME", 4, 4))), Floats({11}));
}

TEST(Pool3D, AMeanSpreadsItsGradientEqually) {
  const Tensor shape = MakeVector<int32_t>({1, 1, 1, 4, 1}), dy = MakeTensor<float>({1, 1, 1, 2, 1}, {4, 2});
  EXPECT_EQ(Values<float>(RunKernel1("AvgPool3DGrad", {shape, dy}, Attrs("SAME", 2, 2))), Floats({2, 2, 1, 1}));
}

TEST(Pool3D, RefusesWhatDoesNotFit) {
  EXPECT_EQ(CodeOfKernel("MaxPool3D", {Line()}, Attrs("SAME", 0, 1)), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("MaxPool3D", {Zeros(DType::kFloat, {1, 1, 4, 1})}, Attrs("SAME", 1, 1)),
            Code::kInvalidArgument);
  const Tensor none = Zeros(DType::kFloat, {0, 1, 1, 4, 1});
  EXPECT_EQ(CodeOfKernel("MaxPool3DGradGrad", {none, none, none}, Attrs("SAME", 1, 1)), Code::kInvalidArgument);
  AttrMap batch = Attrs("SAME", 1, 1);
  batch["ksize"] = Ints{2, 1, 1, 1, 1};
  EXPECT_EQ(CodeOfKernel("AvgPool3D", {Line()}, batch), Code::kUnimplemented);
}

}  // namespace
}  // namespace plumb::fast::cpu
