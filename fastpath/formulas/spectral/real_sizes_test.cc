#include "fastpath/formulas/spectral/real_sizes.h"

#include <gtest/gtest.h>

#include "spec/core/status_testing.h"

namespace plumb::fast {
namespace {

TEST(TransformLengths, EndWhereTransformsDo) {
  EXPECT_TRUE(StatusOf([] { CheckTransformLength(kLongestTransform); }).ok());
  const Status status = StatusOf([] { CheckTransformLength(kLongestTransform + 1); });
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_NE(status.message().find("268435457"), std::string::npos) << status.message();
}

}  // namespace
}  // namespace plumb::fast
