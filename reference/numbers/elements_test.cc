#include "reference/numbers/elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/core/status_testing.h"

namespace plumb::reference {
namespace {

TEST(Elements, AreAsManyAsTheReferenceHolds) {
  constexpr int64_t kMost = int64_t{1} << 28;
  EXPECT_TRUE(StatusOf([] { CheckResultSize({2, kMost / 2}); }).ok());
  const Status status = StatusOf([] { CheckResultSize({1, kMost + 1}); });
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_THAT(status.message(), testing::HasSubstr("[1,268435457]"));
}

}  // namespace
}  // namespace plumb::reference
