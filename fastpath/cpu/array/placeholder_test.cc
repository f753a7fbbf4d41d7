#include <gtest/gtest.h>

#include "fastpath/cpu/lib/testing/kernel_test_util.h"

namespace plumb::fast::cpu {
namespace {

TEST(Placeholder, FailsWhereNothingWasFed) {
  EXPECT_EQ(CodeOfKernel("Placeholder", {}, {{"dtype", DType::kFloat}}), Code::kInvalidArgument);
  EXPECT_EQ(CodeOfKernel("PlaceholderV2", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({2})}}),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast::cpu
