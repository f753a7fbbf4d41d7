#include <gtest/gtest.h>

#include <cmath>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

bool Said(const Tensor& value) { return RunKernel1("ToBool", {value}).scalar<bool>(); }

// As TensorFlow 2.12.1 answers.
TEST(ToBool, AsksAScalarForItsValueAndOthersForTheirSize) {
  EXPECT_FALSE(Said(MakeScalar(-0.0F)));
  EXPECT_TRUE(Said(MakeScalar(NAN)));
  EXPECT_TRUE(Said(MakeScalar<int8_t>(3)));
  EXPECT_FALSE(Said(MakeScalar<std::string>("")));
  EXPECT_TRUE(Said(MakeScalar<std::string>("x")));
  EXPECT_TRUE(Said(MakeScalar(true)));
  EXPECT_TRUE(Said(MakeVector<float>({0, 0})));
  EXPECT_TRUE(Said(MakeVector<bool>({false})));
  EXPECT_TRUE(Said(MakeVector<std::string>({""})));
  EXPECT_FALSE(Said(Tensor(DType::kFloat, Shape({2, 0}))));
  EXPECT_EQ(CodeOfKernel("ToBool", {MakeScalar<uint64_t>(0)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("ToBool", {MakeScalar(BFloat16(2.0F))}), Code::kInvalidArgument);
  EXPECT_TRUE(Said(MakeVector<uint64_t>({0})));
}

}  // namespace
}  // namespace plumb::fast::cpu
