#include "conformance/compare/oracle.h"

namespace plumb::conformance {
namespace {

std::vector<reference::ValueFeed> WithoutError(const std::vector<Feed>& feeds) { return {feeds.begin(), feeds.end()}; }

}  // namespace

Oracle::Oracle(GraphDef graph, Limits limits, SessionOptions options)
    : graph_(std::move(graph)),
      limits_(limits),
      options_(std::move(options)),
      session_(options_),
      loaded_(session_.Extend(graph_)) {}

Status Oracle::Run(const StepRequest& step, std::vector<reference::Value>* values) {
  if (!loaded_.ok()) return loaded_;
  steps_.push_back(step);
  reference::Mode mode;
  mode.bounds = true;
  mode.sharp = limits_ == Limits::kSharp;
  mode.observer = [this](const reference::NodeRun& run) { shape_rules_.Check(run); };
  return session_.RunValues(WithoutError(step.feeds), step.fetches, step.targets, values, mode);
}

void Oracle::Follow(Perturbed& run, uint64_t seed) {
  for (; run.steps_done < steps_.size(); ++run.steps_done) {
    const StepRequest& step = steps_[run.steps_done];
    reference::Mode mode;
    mode.bounds = true;
    mode.perturb_seed = seed;
    run.values.clear();
    const Status status =
        run.session->RunValues(WithoutError(step.feeds), step.fetches, step.targets, &run.values, mode);
    if (!status.ok()) run.values.clear();
  }
}

std::vector<Tensor> Oracle::Sample(size_t fetch) {
  if (perturbed_.empty()) {
    for (int i = 0; i < kRuns; ++i) {
      perturbed_.push_back({std::make_unique<reference::ReferenceSession>(options_), 0, {}});
      if (const Status status = perturbed_.back().session->Extend(graph_); !status.ok()) throw Error(status);
    }
  }
  std::vector<Tensor> samples;
  for (size_t i = 0; i < perturbed_.size(); ++i) {
    Follow(perturbed_[i], i + 1);
    if (fetch < perturbed_[i].values.size()) samples.push_back(perturbed_[i].values[fetch].tensor);
  }
  return samples;
}

}  // namespace plumb::conformance
