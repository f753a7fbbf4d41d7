// What the OSDI paper's figures 7 to 9 show holds in the simulation too, whatever the exact costs.
#include <gtest/gtest.h>

#include <algorithm>

#include "mpi/simulation/figures.h"

namespace plumb::dist {
namespace {

TEST(Simulation, NullStepsGrowWithTheWorkers) {  // figure 7
  const Costs costs;
  const NetworkOptions network;
  const double one = MedianStep(NullSteps(1), costs, network), many = MedianStep(NullSteps(100), costs, network);
  EXPECT_GT(many, 3 * one);
  EXPECT_LT(many, 7 * one);
  EXPECT_EQ(MedianStep(NullSteps(1), costs, network), one) << "equal seeds give equal runs";
}

TEST(Simulation, SomeBackupWorkersAreBest) {  // figure 8
  const std::vector<double> steps = BackupSteps(Costs(), NetworkOptions(), 7);
  const auto best = std::min_element(steps.begin(), steps.end()) - steps.begin();
  EXPECT_GE(best, 3);
  EXPECT_LE(best, 5);
}

TEST(Simulation, ServersAndSamplingSpeedASoftmaxUp) {  // figure 9
  const auto words = [](int servers, int workers, double sampled) {
    return WordsPerSecond({.servers = servers, .workers = workers, .sampled = sampled}, Costs(), NetworkOptions());
  };
  EXPECT_GT(words(2, 4, 0), words(1, 32, 0));
  EXPECT_GT(words(1, 4, 512), 5 * words(1, 4, 0));
  EXPECT_GT(words(8, 32, 512), 5 * words(8, 32, 0));
}

}  // namespace
}  // namespace plumb::dist
