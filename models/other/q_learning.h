// The loop around a deep-Q network: acts in a world, remembers what came of it, and learns from what it remembers.
#pragma once

#include <cstdint>
#include <vector>

#include "client/program.h"
#include "models/other/deep_q.h"

namespace plumb::models {

// Where actions are taken. A state has as many numbers as the network has features.
class World {
 public:
  struct Outcome {
    std::vector<float> state;
    float reward = 0;
    bool goes_on = true;  // false: the episode ends here
  };
  virtual ~World() = default;
  virtual std::vector<float> Begin() = 0;  // the first state of an episode
  virtual Outcome Act(int32_t action) = 0;
};

// A row of cells, of which a state marks the one that one stands in. Action 0 goes left, where a wall may be, and 1
// right; the rightmost cell ends the episode and earns 1.
class Corridor final : public World {
 public:
  explicit Corridor(int64_t cells) : cells_(cells) {}
  std::vector<float> Begin() override;
  Outcome Act(int32_t action) override;

 private:
  std::vector<float> State() const;

  const int64_t cells_;
  int64_t at_ = 0;
};

struct QLearningOptions {
  int steps = 300;  // actions, after each of which the network is trained once
  size_t memory = 1000;
  int follow_every = 10;         // steps after which the copy follows the network
  double explores_at_end = 0.1;  // the part of the actions that are drawn: all at first, so many at the end
  uint32_t seed = 1;
};

// The action that is worth most in the state, as the network sees it.
int32_t BestAction(Program& program, const DeepQ& model, const std::vector<float>& state);

// Plays and learns; the number of actions of each episode that came to its end. The variables have values before.
std::vector<int> LearnByPlaying(Program& program, const DeepQ& model, World& world,
                                const QLearningOptions& options = {});

}  // namespace plumb::models
