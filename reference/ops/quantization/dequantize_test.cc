#include <gtest/gtest.h>

#include <cmath>

#include "reference/kernel/kernel_testing.h"

namespace plumb::reference {
namespace {

TEST(Dequantize, MakesBfloat16InOneModeOnly) {
  const auto code = [](const char* mode, DType dtype) {
    const AttrMap attrs = {{"mode", mode}, {"axis", -1}, {"narrow_range", false}};
    const Value zero = MakeScalar<float>(0), one = MakeScalar<float>(1);
    return KernelCall{"Dequantize", {Tensor(DType::kQint8, {2}), zero, one}, attrs, {dtype}}.Fails();
  };
  EXPECT_EQ(code("MIN_COMBINED", DType::kBfloat16), Code::kOk);
  EXPECT_EQ(code("MIN_FIRST", DType::kBfloat16), Code::kInvalidArgument);
  EXPECT_EQ(code("SCALED", DType::kBfloat16), Code::kInvalidArgument);
  EXPECT_EQ(code("SCALED", DType::kFloat), Code::kOk);
}

// A range around zero begins half a step from a whole number of steps, which float32 rounds towards zero here.
TEST(Dequantize, BeginsAWholeNumberOfStepsFromZero) {
  Tensor ends(DType::kQuint8, {2});
  ends.mutable_data<Quint8>()[0].value = 0;
  ends.mutable_data<Quint8>()[0].value = 0;
  ends.mutable_data<Quint8>()[1].value = 255;
  for (const float range : {0.5F, 1.0F, 2.0F, 10.0F}) {
    const Value low = MakeScalar(-range), high = MakeScalar(range);
    const AttrMap attrs = {{"mode", "MIN_FIRST"}, {"axis", -1}, {"narrow_range", false}};
    const std::vector<float> numbers = Floats(KernelCall{"Dequantize", {ends, low, high}, attrs, {DType::kFloat}}());
    EXPECT_EQ(std::lround(numbers[0] * 255 / (2 * range)), -127) << range;
    EXPECT_EQ(std::lround(numbers[1] * 255 / (2 * range)), 128) << range;
  }
}

}  // namespace
}  // namespace plumb::reference
