// What the line of progress says of a run, the one that goes on from a checkpoint among them.
#include "tools/train/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb::tools {
namespace {

using ::testing::HasSubstr;

TEST(ProgressLines, TellStepsExamplesAndTheTimeLeft) {
  EXPECT_EQ(ProgressLine({.steps = 100, .step = 50, .examples_per_step = 8, .loss = 0.25, .seconds = 5}),
            "[===============               ] step 50/100  loss 0.2500  10 steps/s  80 examples/s  ETA 5 s");
}

// 90 steps came with the checkpoint, 6 were taken in 12 seconds.
TEST(ProgressLines, CountTheStepsOfThisRunAlone) {
  const std::string line =
      ProgressLine({.steps = 100, .first = 90, .step = 96, .examples_per_step = 32, .seconds = 12});
  EXPECT_THAT(line, HasSubstr("step 96/100"));
  EXPECT_THAT(line, HasSubstr("0.5 steps/s  16 examples/s  ETA 8 s"));
}

TEST(ProgressLines, SayNothingOfARunThatHasTakenNoStep) {
  EXPECT_THAT(ProgressLine({.steps = 100, .first = 90, .step = 90, .seconds = 3}),
              HasSubstr("step 90/100  loss 0.0000  0 steps/s  0 examples/s  ETA 0 s"));
  EXPECT_THAT(ProgressLine({}), HasSubstr("step 0/0"));
}

TEST(ProgressLines, HaveThreeDigitsForSlowRuns) {
  EXPECT_THAT(ProgressLine({.steps = 9, .step = 1, .examples_per_step = 4, .seconds = 80}),
              HasSubstr("0.0125 steps/s  0.05 examples/s  ETA 640 s"));
  EXPECT_THAT(ProgressLine({.steps = 9, .step = 3, .examples_per_step = 1000, .seconds = 2}),
              HasSubstr("1.5 steps/s  1500 examples/s"));
}

// Of 1 + 2 + 4 steps the fourth: those that came four at once took 0.5 s each, and two that came together 3 s each.
TEST(MedianSteps, CountEachStep) {
  MedianStep median;
  EXPECT_EQ(median.Text(), "");
  median.Add(0, 100);
  EXPECT_EQ(median.Text(), "");
  median.Add(1, 7);
  median.Add(2, 6);
  EXPECT_EQ(median.Text(), "Median step: 3000 ms");
  median.Add(4, 2);
  EXPECT_EQ(median.Text(), "Median step: 500 ms");
}

// A run that goes on begins to count where the checkpoint ends.
TEST(ProgressRuns, BeginAtTheirFirstStep) {
  testing::internal::CaptureStdout();
  Progress progress(stdout, 100, 8, /*first=*/90);
  progress.Finish();
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("step 90/100  loss 0.0000  0 steps/s"));
}

}  // namespace
}  // namespace plumb::tools
