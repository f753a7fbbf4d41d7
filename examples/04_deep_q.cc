// Learns by trial and error to leave a corridor: a network of actions' values, trained by Adam on what it remembers,
// beside a copy that follows now and then. Usage: 04_deep_q [reference|cpu]
#include <cstdio>

#include "backends/backends.h"
#include "models/other/q_learning.h"

using namespace plumb;

int main(int argc, char** argv) {
  constexpr int64_t kCells = 5;
  Scope scope;
  const auto optimizer = Adam({.learning_rate = 0.02});
  const models::DeepQ model =
      models::BuildDeepQ(scope, *optimizer, {.features = kCells, .units = 16, .discount = 0.9, .batch = 8});
  Program program(scope, OpenSession(argc > 1 ? argv[1] : "cpu"));
  program.Run(model.learner.init);
  models::Corridor corridor(kCells);
  const std::vector<int> lengths = models::LearnByPlaying(program, model, corridor, {.steps = 400});
  std::vector<float> state = corridor.Begin();
  int steps = 0;
  for (bool goes_on = true; goes_on && steps < 2 * kCells; ++steps) {
    const models::World::Outcome outcome = corridor.Act(models::BestAction(program, model, state));
    state = outcome.state;
    goes_on = outcome.goes_on;
  }
  if (lengths.empty()) return 1;
  std::printf("the way out took %d steps at first, %d after %zu times\n", lengths.front(), steps, lengths.size());
  return steps == kCells - 1 ? 0 : 1;
}
