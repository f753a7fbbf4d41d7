#include "reference/world/world.h"

#include <algorithm>

#include "reference/state/accumulator.h"
#include "reference/state/barrier.h"
#include "reference/state/batching.h"
#include "reference/state/collectives.h"
#include "reference/state/lookup_table.h"
#include "reference/state/mutex.h"
#include "reference/state/queue.h"
#include "reference/state/reader.h"
#include "reference/state/session_tensors.h"
#include "reference/state/sparse_tensors.h"
#include "reference/state/staging.h"
#include "reference/state/stub.h"
#include "reference/state/summary_log.h"
#include "reference/state/timed.h"
#include "reference/world/guarded.h"
#include "spec/session/state_paths.h"

namespace plumb::reference {

std::unique_ptr<World> World::Clone() const {
  auto clone = std::make_unique<World>();
  Copies copies;
  clone->shared_.resources = shared_.resources.Clone(copies);
  for (const auto& [node, state] : shared_.kernels) {
    clone->shared_.kernels.emplace(node, state == nullptr ? nullptr : state->Clone(copies));
  }
  clone->shared_.executions = shared_.executions;
  clone->shared_.closed = shared_.closed.load();
  for (const auto& step : steps_) {
    clone->steps_.push_back(std::make_unique<Step>(*step, clone->shared_, copies));
  }
  clone->over_ = over_;
  clone->next_step_ = next_step_;
  return clone;
}

StepId World::Start(std::shared_ptr<const Program> program) {
  const StepId id = next_step_++;
  steps_.push_back(std::make_unique<Step>(id, std::move(program), shared_));
  if (steps_.back()->IsOver()) Finish(steps_.size() - 1, OkStatus());
  return id;
}

size_t World::enabled() const {
  size_t events = 0;
  for (const auto& step : steps_) events += step->enabled();
  return events > 0 ? events : WithLimit().size();
}

std::vector<std::shared_ptr<const Attempt>> World::WithLimit() const {
  std::vector<std::shared_ptr<const Attempt>> timed;
  for (const auto& step : steps_) step->AddTimed(timed);
  return timed;
}

bool World::PassTime(Driver& driver) {
  const auto timed = WithLimit();
  if (timed.empty()) return false;
  const Attempt& attempt = *timed[driver.Choose(Choice::kEvent, timed.size(), "limits of time")];
  dynamic_cast<Timed&>(*attempt.object).Expire(attempt.ticket);
  WakeServed();
  return true;
}

bool World::Advance(Driver& driver) {
  size_t events = 0;
  for (const auto& step : steps_) events += step->enabled();
  if (events == 0) return PassTime(driver);
  size_t event = driver.Choose(Choice::kEvent, events, "ready list");
  size_t index = 0;
  while (event >= steps_[index]->enabled()) event -= steps_[index++]->enabled();
  Step& step = *steps_[index];
  const Status status = Guarded([&] { step.Fire(event); });
  if (!status.ok() || step.IsOver()) {
    Finish(index, status);
  } else {
    const auto moved = steps_.begin() + static_cast<std::ptrdiff_t>(index);
    std::rotate(moved, moved + 1, steps_.end());  // E7
  }
  WakeServed();
  return true;
}

std::vector<Waiting> World::RunAll(Driver& driver) {
  while (Advance(driver)) {
  }
  return waiting();
}

Step* World::Find(StepId id) const {
  for (const auto& step : steps_) {
    if (step->id() == id) return step.get();
  }
  return nullptr;
}

void World::Feed(StepId id, int slot, Value value) {
  if (Step* step = Find(id)) step->Feed(slot, std::move(value));
}

std::optional<Value> World::FetchedSoFar(StepId id, size_t fetch) const {
  const Step* step = Find(id);
  return step == nullptr ? std::nullopt : step->FetchedSoFar(fetch);
}

bool World::IsIdle(StepId id) const {
  const Step* step = Find(id);
  return step != nullptr && step->IsIdle();
}

std::vector<Waiting> World::waiting() const {
  std::vector<Waiting> waiting;
  for (const auto& step : steps_) step->AddWaiting(waiting);
  std::stable_sort(waiting.begin(), waiting.end(), [](const Waiting& a, const Waiting& b) { return a.step < b.step; });
  return waiting;
}

void World::End(StepId id, Status status) {
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i]->id() != id) continue;
    Finish(i, std::move(status));
    break;
  }
  WakeServed();
}

void World::EndAll(const Status& status) {
  while (!steps_.empty()) Finish(0, status);
}

// X8, X9: from here on the step is over. S5: what it did stays done.
void World::Finish(size_t index, Status status) {
  Step& step = *steps_[index];
  step.DropAttempts();
  StepOutcome outcome{std::move(status), {}};
  if (outcome.status.ok()) outcome.status = Guarded([&] { outcome.values = step.Fetched(); });
  over_.emplace(step.id(), std::move(outcome));
  steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(index));
}

void World::WakeServed() {
  for (const auto& step : steps_) step->Wake();
}

StepOutcome World::Take(StepId step) { return std::move(over_.extract(step).mapped()); }

void World::Reset(std::span<const std::string> containers) {
  if (containers.empty()) shared_.resources.Clear(kDefaultContainer);
  for (const std::string& container : containers) shared_.resources.Clear(container);
  for (const auto& step : steps_) step->Wake(/*all=*/true);
}

namespace {

const ResourceKind kSavedKinds[] = {
    KindOf<Variable>("Variable"),
    KindOf<HandleVariable>("ResourceVariable"),
    KindOf<Accumulator>("Accumulator"),
    KindOf<Queue>("Queue"),
    KindOf<LookupTable>("Table"),
    KindOf<SessionTensors>("SessionTensors"),
    KindOf<Barrier>("Barrier"),
    KindOf<RecordReader>("Reader"),
    KindOf<Mutex>("Mutex"),
    KindOf<SparseTensors>("SparseTensors"),
    KindOf<StagingArea>("StagingArea"),
    KindOf<StagingMap>("StagingMap"),
    KindOf<Collectives>("Collectives"),
    KindOf<SummaryLog>("SummaryWriter"),
    KindOf<Stub>("Stub"),
    KindOf<Batcher>("Batches"),
    KindOf<Unbatcher>("BatchParts"),
    KindOf<GradientBatcher>("BatchGradients"),
};

}  // namespace

void World::Save(SavedState& state) const {
  if (!steps_.empty()) throw FailedPrecondition("a session is saved while no step runs; ", steps_.size(), " do");
  shared_.resources.Save(StateWriter(state, std::string(kResourcesPath)), kSavedKinds);
  const StateWriter kernels(state, std::string(kKernelsPath));
  for (const auto& [node, kernel] : shared_.kernels) {
    if (kernel != nullptr) kernel->Save(kernels.Under(PathPart(node)));
  }
}

void World::Restore(const SavedState& state) {
  std::map<std::string, SavedState> kernels;
  for (const auto& [path, value] : StateBelow(state, kKernelsPath)) {
    std::string_view rest = path;
    kernels[NameOfPart(TakePart(rest))].emplace(rest, value);
  }
  shared_.resources.Restore(state, kResourcesPath, kSavedKinds);
  for (auto& [node, saved] : kernels) shared_.kernels[node] = std::make_unique<SavedKernelState>(std::move(saved));
}

}  // namespace plumb::reference
