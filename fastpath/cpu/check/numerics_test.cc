#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Checks, FailOnWhatTheyWatchFor) {
  EXPECT_EQ(CodeOfKernel("Assert", {MakeScalar(true), MakeScalar(1)}), Code::kOk);
  EXPECT_EQ(CodeOfKernel("Assert", {MakeScalar(false), MakeScalar(1)}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("Assert", {MakeVector<bool>({true}), MakeScalar(1)}), Code::kInvalidArgument);
  const AttrMap message = {{"message", "here"}};
  EXPECT_EQ(CodeOfKernel("CheckNumerics", {MakeVector<float>({1, -2})}, message), Code::kOk);
  EXPECT_EQ(CodeOfKernel("CheckNumerics", {MakeVector<float>({1, kInf})}, message), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("CheckNumerics", {MakeVector<double>({1, std::nan("")})}, message), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
