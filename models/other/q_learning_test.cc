#include "models/other/q_learning.h"

#include <gtest/gtest.h>

#include "backends/backends.h"

namespace plumb::models {
namespace {

TEST(Corridor, HasAWallAtOneEndAndARewardAtTheOther) {
  Corridor corridor(3);
  EXPECT_EQ(corridor.Begin(), (std::vector<float>{1, 0, 0}));
  EXPECT_EQ(corridor.Act(0).state, (std::vector<float>{1, 0, 0}));
  EXPECT_EQ(corridor.Act(1).reward, 0);
  EXPECT_EQ(corridor.Act(0).state, (std::vector<float>{1, 0, 0}));
  corridor.Act(1);
  const World::Outcome end = corridor.Act(1);
  EXPECT_EQ(end.reward, 1);
  EXPECT_FALSE(end.goes_on);
  EXPECT_EQ(corridor.Begin(), (std::vector<float>{1, 0, 0}));
}

// Only the last step earns something; that the others lead there is learned backwards, step by step.
TEST(QLearning, FindsTheWayOutOnBothBackends) {
  constexpr int64_t kCells = 4;
  for (const char* backend : {"reference", "cpu"}) {
    Scope scope;
    const auto optimizer = Adam({.learning_rate = 0.02});
    const DeepQ model = BuildDeepQ(scope, *optimizer, {.features = kCells, .units = 8, .discount = 0.9, .batch = 8});
    Program program(scope, OpenSession(backend));
    program.Run(model.learner.init);
    Corridor corridor(kCells);
    const std::vector<int> lengths = LearnByPlaying(program, model, corridor);
    EXPECT_GT(lengths.size(), 10U) << backend;
    std::vector<float> state = corridor.Begin();
    for (int64_t cell = 0; cell + 1 < kCells; ++cell) {
      EXPECT_EQ(BestAction(program, model, state), 1) << backend << ", cell " << cell;
      state = corridor.Act(1).state;
    }
  }
}

}  // namespace
}  // namespace plumb::models
