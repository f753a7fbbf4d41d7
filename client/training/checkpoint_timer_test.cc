// When checkpoints are due, by a clock that the test sets.
#include "client/training/checkpoint_timer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "spec/core/status.h"
#include "spec/core/status_testing.h"

namespace plumb {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The steps after which a program that takes `seconds` for a step saves.
std::vector<int> SavedAfter(const SaveInterval& interval, double seconds, int steps, int first = 0) {
  double now = 1000;
  CheckpointTimer timer(interval, [&now] { return now; });
  std::vector<int> saved;
  for (int step = first + 1; step <= steps; ++step) {
    now += seconds;
    if (!timer.IsDue(step - 1, step)) continue;
    timer.Saved();
    saved.push_back(step);
  }
  return saved;
}

TEST(CheckpointTimers, CountStepsFromTheFirst) {
  EXPECT_THAT(SavedAfter({.steps = 3}, 1, 9), ElementsAre(3, 6, 9));
  EXPECT_THAT(SavedAfter({.steps = 3}, 1, 9, /*first=*/4), ElementsAre(6, 9)) << "as the run that was stopped would";
}

TEST(CheckpointTimers, CountTimeFromTheLastCheckpoint) {
  EXPECT_THAT(SavedAfter({.seconds = 10}, 4, 9), ElementsAre(3, 6, 9));
  EXPECT_THAT(SavedAfter({.seconds = 10}, 10, 3), ElementsAre(1, 2, 3));
  EXPECT_THAT(SavedAfter({.seconds = 10}, 25, 3), ElementsAre(1, 2, 3)) << "never twice after one step";
}

TEST(CheckpointTimers, CountTheTimeThatSavingTakes) {
  double now = 0;
  CheckpointTimer timer({.seconds = 10}, [&now] { return now; });
  now = 10;
  EXPECT_TRUE(timer.IsDue(0, 1));
  now = 17;  // it took seven seconds to write
  timer.Saved();
  now = 26;
  EXPECT_FALSE(timer.IsDue(1, 2));
  now = 27;
  EXPECT_TRUE(timer.IsDue(2, 3));
  EXPECT_FALSE(timer.IsDue(3, 3)) << "there is no new step to save";
}

TEST(CheckpointTimers, AStepThatPassesAMultipleIsOneCheckpoint) {
  const CheckpointTimer timer({.steps = 10}, [] { return 0.0; });
  EXPECT_FALSE(timer.IsDue(1, 9));
  EXPECT_TRUE(timer.IsDue(9, 13));
  EXPECT_TRUE(timer.IsDue(8, 41));
}

TEST(SaveIntervals, AreStepsOrTime) {
  EXPECT_EQ(SaveInterval::Parse("100").steps, 100);
  EXPECT_FALSE(SaveInterval::Parse("100").IsOfTime());
  EXPECT_EQ(SaveInterval::Parse("30s").seconds, 30);
  EXPECT_EQ(SaveInterval::Parse("5m").seconds, 300);
  EXPECT_EQ(SaveInterval::Parse("1.5h").seconds, 5400);
  EXPECT_EQ(SaveInterval::Parse("30s").steps, 0);
}

TEST(SaveIntervals, RefuseWhatIsNeither) {
  for (const char* text :
       {"", "0", "-3", "0s", "-1s", "s", "10 s", "10sec", "1.5", "nan s", "infs", "1e400s", "soon"}) {
    const Status refused = StatusOf([&] { SaveInterval::Parse(text); });
    EXPECT_EQ(refused.code(), Code::kInvalidArgument) << text;
    EXPECT_THAT(refused.message(), HasSubstr("30s")) << text;
  }
  EXPECT_EQ(StatusOf([] { CheckpointTimer({.steps = 1, .seconds = 1}); }).code(), Code::kInvalidArgument);
  EXPECT_EQ(StatusOf([] { CheckpointTimer({}); }).code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb
