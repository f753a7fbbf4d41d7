#include "models/other/q_learning.h"

#include <algorithm>
#include <deque>
#include <random>

namespace plumb::models {
namespace {

struct Transition {
  std::vector<float> state;
  int32_t action;
  World::Outcome outcome;
};

// The latest transitions, of which batches are drawn.
class Memory {
 public:
  Memory(size_t most, uint32_t seed) : most_(most), random_(seed) {}

  void Add(Transition transition) {
    if (transitions_.size() == most_) transitions_.pop_front();
    transitions_.push_back(std::move(transition));
  }
  size_t size() const { return transitions_.size(); }

  // In the order of the model's inputs.
  std::vector<FeedValue> Draw(const DeepQ& model) {
    const int64_t batch = model.state.shape().dim(0), features = model.state.shape().dim(1);
    const Shape rows({batch});
    Tensor states(DType::kFloat, {batch, features}), next_states(DType::kFloat, {batch, features});
    Tensor actions(DType::kInt32, rows), rewards(DType::kFloat, rows), goes_on(DType::kInt32, rows);
    for (int64_t i = 0; i < batch; ++i) {
      const auto row = static_cast<size_t>(i);
      const auto& [state, action, outcome] = transitions_[random_() % transitions_.size()];
      std::copy(state.begin(), state.end(), states.mutable_data<float>().begin() + i * features);
      std::copy(outcome.state.begin(), outcome.state.end(), next_states.mutable_data<float>().begin() + i * features);
      actions.mutable_data<int32_t>()[row] = action;
      rewards.mutable_data<float>()[row] = outcome.reward;
      goes_on.mutable_data<int32_t>()[row] = outcome.goes_on ? 1 : 0;
    }
    std::vector<FeedValue> feeds;
    for (Tensor* value : {&states, &actions, &rewards, &next_states, &goes_on}) {
      feeds.emplace_back(model.learner.inputs[feeds.size()].place, std::move(*value));
    }
    return feeds;
  }

 private:
  const size_t most_;
  std::deque<Transition> transitions_;
  std::mt19937 random_;
};

}  // namespace

std::vector<float> Corridor::Begin() {
  at_ = 0;
  return State();
}

World::Outcome Corridor::Act(int32_t action) {
  at_ = action == 1 ? at_ + 1 : std::max<int64_t>(0, at_ - 1);
  const bool is_there = at_ == cells_ - 1;
  return {State(), is_there ? 1.0f : 0.0f, !is_there};
}

std::vector<float> Corridor::State() const {
  std::vector<float> state(static_cast<size_t>(cells_));
  state[static_cast<size_t>(at_)] = 1;
  return state;
}

int32_t BestAction(Program& program, const DeepQ& model, const std::vector<float>& state) {
  const PartialShape shape = model.state.shape();
  Tensor states = Zeros(DType::kFloat, {shape.dim(0), shape.dim(1)});
  std::copy(state.begin(), state.end(), states.mutable_data<float>().begin());
  const Tensor values = program.Fetch(model.values, {{model.state, std::move(states)}});
  const auto first = values.data<float>().begin();
  return static_cast<int32_t>(std::max_element(first, first + values.dim(1)) - first);
}

std::vector<int> LearnByPlaying(Program& program, const DeepQ& model, World& world, const QLearningOptions& options) {
  std::mt19937 random(options.seed);
  std::uniform_real_distribution<double> part(0, 1);
  const auto actions = static_cast<uint32_t>(model.values.shape().dim(1));
  const auto enough = static_cast<size_t>(model.state.shape().dim(0));
  Memory memory(options.memory, options.seed + 1);
  std::vector<int> lengths;
  std::vector<float> state = world.Begin();
  int begun = 0;
  for (int step = 1; step <= options.steps; ++step) {
    const double explores = 1 - (1 - options.explores_at_end) * step / options.steps;
    const int32_t action =
        part(random) < explores ? static_cast<int32_t>(random() % actions) : BestAction(program, model, state);
    World::Outcome outcome = world.Act(action);
    memory.Add({state, action, outcome});
    state = outcome.goes_on ? std::move(outcome.state) : world.Begin();
    if (!outcome.goes_on) {
      lengths.push_back(step - begun);
      begun = step;
    }
    if (memory.size() >= enough) program.Run(model.learner.train, memory.Draw(model));
    if (step % options.follow_every == 0) program.Run(model.follow);
  }
  return lengths;
}

}  // namespace plumb::models
