#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_harness.h"
#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

TEST(CountUpTo, CountsUntilTheLimit) {
  KernelHarness harness;
  const Entry v = harness.Ref(MakeScalar<int32_t>(0));
  const AttrMap attrs = {{"limit", 2}};
  EXPECT_EQ(harness.Value("CountUpTo", {v}, attrs).scalar<int32_t>(), 0);
  EXPECT_EQ(harness.Value("CountUpTo", {v}, attrs).scalar<int32_t>(), 1);
  EXPECT_EQ(harness.CodeOf("CountUpTo", {v}, attrs), Code::kOutOfRange);
  EXPECT_EQ(harness.CodeOf("CountUpTo", {v}, {{"T", DType::kInt32}, {"limit", int64_t{1} << 40}}),
            Code::kInvalidArgument);
  EXPECT_EQ(Values<int32_t>(v)[0], 2);
}

}  // namespace
}  // namespace plumb::fast::cpu
