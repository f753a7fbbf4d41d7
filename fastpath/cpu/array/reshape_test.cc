#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/int_tensors.h"

namespace plumb::fast::cpu {
namespace {

TEST(Reshape, InfersOneDimensionAndSharesTheBuffer) {
  const Tensor x = Iota({2, 6}), y = RunKernel1("Reshape", {x, Vector({3, -1})});
  EXPECT_EQ(y.shape(), Shape({3, 4}));
  EXPECT_EQ(y.raw(), x.raw());
  EXPECT_EQ(RunKernel1("Reshape", {Zeros(DType::kInt32, {0, 3}), Vector({0, -1})}).shape(), Shape({0, 3}));
  for (const Tensor& bad : {Vector({5, -1}), Vector({-1, -1}), Vector({3, 3}), Vector({-2, 6}), Vector({0, -1})}) {
    EXPECT_EQ(CodeOfKernel("Reshape", {x, bad}), Code::kInvalidArgument) << bad.ToString();
  }
  const Tensor huge = MakeVector<int64_t>({int64_t{1} << 40, int64_t{1} << 40, -1});
  EXPECT_EQ(CodeOfKernel("Reshape", {x, huge}), Code::kInvalidArgument);
}

TEST(ExpandDimsAndSqueeze, AreInverse) {
  const Tensor x = Iota({2, 3}), wide = RunKernel1("ExpandDims", {x, MakeScalar(-1)});
  EXPECT_EQ(wide.shape(), Shape({2, 3, 1}));
  EXPECT_EQ(RunKernel1("Squeeze", {wide}).shape(), x.shape());
  EXPECT_EQ(CodeOfKernel("ExpandDims", {x, MakeScalar(4)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Squeeze", {x}, {{"squeeze_dims", std::vector<int64_t>{0}}}), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
