#include "spec/core/status.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

TEST(Status, AMissingKernelIsKnownByItsReasonAndNotByItsWords) {
  const Error missing = NoKernel(Code::kNotFound, "nobody wrote ", 1);
  EXPECT_EQ(missing.status().reason(), Reason::kNoKernel);
  EXPECT_EQ(missing.status().ToString(), "NOT_FOUND: nobody wrote 1");
  EXPECT_EQ(NotFound("No registered 'Op' kernel").status().reason(), Reason::kOther);
  EXPECT_EQ(OkStatus().reason(), Reason::kOther);
}

TEST(Status, OtherWordsKeepCodeAndReason) {
  const Status status = NoKernel(Code::kInvalidArgument, "short").status().WithMessage("longer");
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(status.reason(), Reason::kNoKernel);
  EXPECT_EQ(status.message(), "longer");
}

}  // namespace
}  // namespace plumb
