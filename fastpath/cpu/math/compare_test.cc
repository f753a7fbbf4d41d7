#include <gtest/gtest.h>

#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

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

}  // namespace
}  // namespace plumb::fast::cpu
