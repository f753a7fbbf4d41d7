#include "spec/session/saved_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/core/status_testing.h"

namespace plumb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SavedNumbers, ACountIsOneThatMemoryCouldHold) {
  const auto read = [](Tensor saved) {
    const SavedState state = {{"q/size", std::move(saved)}};
    int64_t count = -1;
    const Status status = StatusOf([&] { count = SavedCount(StateReader(state, "q/"), "size"); });
    EXPECT_EQ(status.ok(), count >= 0);
    if (!status.ok()) {
      EXPECT_EQ(status.code(), Code::kDataLoss);
      EXPECT_THAT(status.message(), HasSubstr("size"));
    }
    return status.ok();
  };
  constexpr int64_t kMost = int64_t{1} << 32;
  EXPECT_TRUE(read(MakeScalar<int64_t>(0)));
  EXPECT_TRUE(read(MakeScalar(kMost)));
  EXPECT_FALSE(read(MakeScalar(kMost + 1)));
  EXPECT_FALSE(read(MakeScalar<int64_t>(-1)));
  EXPECT_FALSE(read(MakeScalar<int32_t>(1)));
}

TEST(SavedNumbers, AreAsManyAsAskedFor) {
  const SavedState state = {{"keys", MakeVector<int64_t>({3, 4})}};
  const StateReader reader(state);
  EXPECT_THAT(SavedNumbers<int64_t>(reader, "keys", 2), ElementsAre(3, 4));
  for (const int64_t count : {1, 3}) {
    EXPECT_EQ(StatusOf([&] { SavedNumbers<int64_t>(reader, "keys", count); }).code(), Code::kDataLoss);
  }
  EXPECT_EQ(StatusOf([&] { SavedNumbers<int32_t>(reader, "keys", 2); }).code(), Code::kDataLoss);
}

}  // namespace
}  // namespace plumb
