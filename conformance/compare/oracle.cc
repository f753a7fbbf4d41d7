#include "conformance/compare/oracle.h"

#include <utility>

#include "reference/world/drivers/seeded.h"

namespace plumb::conformance {
namespace {

reference::StepRequest WithoutError(const StepRequest& step) {
  return {{step.feeds.begin(), step.feeds.end()}, step.fetches, step.targets};
}

std::unique_ptr<reference::Driver> DriverFor(uint64_t walk) {
  if (walk == 0) return std::make_unique<reference::FirstDriver>();
  return std::make_unique<reference::SeededDriver>(walk);
}

}  // namespace

Oracle::Oracle(GraphDef graph, Limits limits, SessionOptions options, uint64_t walk)
    : graph_(std::move(graph)),
      limits_(limits),
      options_(std::move(options)),
      begins_(walk),
      session_(options_),
      loaded_(session_.Extend(graph_)) {}

Status Oracle::Run(const StepRequest& step, std::vector<reference::Value>* values) {
  reference::StepOutcome outcome = std::move(RunTogether({&step, 1})[0]);
  if (outcome.status.ok()) *values = std::move(outcome.values);
  return outcome.status;
}

std::vector<reference::StepOutcome> Oracle::RunTogether(std::span<const StepRequest> steps) {
  if (!loaded_.ok()) return std::vector(steps.size(), reference::StepOutcome{loaded_, {}});
  Group& group = taken_.emplace_back();
  group.walk = std::exchange(begins_, std::nullopt);
  if (group.walk) driver_ = DriverFor(*group.walk);
  for (const StepRequest& step : steps) group.steps.push_back(WithoutError(step));
  reference::Mode mode;
  mode.bounds = true;
  mode.sharp = limits_ == Limits::kSharp;
  mode.observer = [this](const reference::NodeRun& run) { shape_rules_.Check(run); };
  return session_.RunTogether(group.steps, *driver_, mode).outcomes;
}

void Oracle::Follow(Perturbed& run, uint64_t seed) {
  for (; run.groups_done < taken_.size(); ++run.groups_done) {
    const Group& group = taken_[run.groups_done];
    if (group.walk) run.driver = DriverFor(*group.walk);
    reference::Mode mode;
    mode.bounds = true;
    mode.perturb_seed = seed;
    run.outcomes = run.session->RunTogether(group.steps, *run.driver, mode).outcomes;
  }
}

std::vector<Tensor> Oracle::Sample(size_t fetch, size_t step) {
  if (perturbed_.empty()) {
    for (int i = 0; i < kRuns; ++i) {
      perturbed_.push_back({std::make_unique<reference::ReferenceSession>(options_), nullptr, 0, {}});
      if (const Status status = perturbed_.back().session->Extend(graph_); !status.ok()) throw Error(status);
    }
  }
  std::vector<Tensor> samples;
  for (size_t i = 0; i < perturbed_.size(); ++i) {
    Follow(perturbed_[i], i + 1);
    const std::vector<reference::Value>& values = perturbed_[i].outcomes[step].values;  // none where it failed
    if (fetch < values.size()) samples.push_back(values[fetch].tensor);
  }
  return samples;
}

}  // namespace plumb::conformance
