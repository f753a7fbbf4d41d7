#include <gtest/gtest.h>

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

}  // namespace
}  // namespace plumb::reference
