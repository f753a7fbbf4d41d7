#include "fastpath/execute/executor.h"

#include <algorithm>

#include "absl/cleanup/cleanup.h"
#include "fastpath/execute/trace.h"
#include "fastpath/execute/worker.h"

namespace plumb::fast {
namespace {

// What a thread sends goes together with what it sends within this time.
constexpr int64_t kBriefNanoseconds = 50'000;

class SentTogether {
 public:
  SentTogether(std::shared_ptr<Rendezvous> rendezvous, bool is_brief)
      : rendezvous_(is_brief ? std::move(rendezvous) : nullptr) {
    if (rendezvous_ != nullptr) rendezvous_->HoldBack();
  }
  ~SentTogether() {
    if (rendezvous_ != nullptr) rendezvous_->LetGo();
  }
  SentTogether(const SentTogether&) = delete;
  SentTogether& operator=(const SentTogether&) = delete;

 private:
  const std::shared_ptr<Rendezvous> rendezvous_;  // the step may be over before
};

Status StoppedByOthers() { return Status(Code::kCancelled, "the step was stopped"); }

}  // namespace

Executor::Executor(std::shared_ptr<const Plan> plan, StepEnvironment& environment)
    : plan_(std::move(plan)), environment_(environment) {
  if (environment_.forced_sharing > 0) PretendCosts(*plan_, environment_.forced_sharing, kHandOffNanoseconds);
}

void Executor::CheckFeeds(std::span<const Tensor> feeds) const {
  const auto& wanted = plan_->feeds;
  Require(feeds.size() == wanted.size(), feeds.size(), " values are fed where ", wanted.size(), " are wanted");
  for (size_t i = 0; i < feeds.size(); ++i) {
    Require(feeds[i].dtype() == wanted[i].dtype, "feed '", wanted[i].name, "' has the type ",
            DTypeName(feeds[i].dtype()), ", wanted is ", DTypeName(wanted[i].dtype));                        // rule F4
    Require(feeds[i].dtype() != DType::kResource, "feed '", wanted[i].name, "': a resource cannot be fed");  // F12
  }
}

Status Executor::Run(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
                     RunMetadata* metadata) {
  CheckFeeds(feeds);
  PartitionRun run;
  run.step_id = environment_.next_step_id.fetch_add(1, std::memory_order_relaxed);
  if (plan_->has_transfers) run.rendezvous = std::make_shared<LocalRendezvous>(1);
  run.metadata = options.trace ? metadata : nullptr;
  return RunWith(run, options, feeds, outputs);
}

Status Executor::RunWith(const PartitionRun& run, const RunOptions& options, std::span<const Tensor> feeds,
                         std::vector<Tensor>* outputs) {
  RunState* state = Acquire();
  const auto release = absl::MakeCleanup([&] {
    state->End();
    Release(state);
  });
  state->Begin(run.step_id, run.rendezvous, run.parts);
  state->trace = run.metadata != nullptr;
  // Either this sees that the session is closed, or Close sees this step and stops it.
  if (environment_.closed.load(std::memory_order_seq_cst)) {
    state->Fail(Cancelled("Session has been closed.").status());
  }
  Status status;
  {
    const int64_t failure_watch = WatchFailure(run.parts.get(), *state);
    const auto unwatch = absl::MakeCleanup([&] { state->context().cancellation->Deregister(failure_watch); });
    const auto alarm = environment_.watchdog.Arm(options.timeout_ms, *state);
    const int64_t registration = StopWith(run.cancellation, *state);
    Execute(*state, feeds, run.lookout);
    if (registration != 0) run.cancellation->Deregister(registration);
    status = state->status();
    if (run.parts != nullptr) status = run.parts->Await(status, run.lookout);
  }
  if (status.ok()) status = TakeOutputs(*state, outputs);
  if (state->trace) *run.metadata = CollectTrace(*state);
  return status;
}

void Executor::RunInside(AsyncContext& call, AsyncKernel::Done done) {
  const auto inside = StepInside::Begin(call, std::move(done), 1, environment_.pool);
  if (inside != nullptr) RunAsyncInside(inside->RunOf(call.step().step_id, nullptr), inside);
}

void Executor::RunAsyncInside(const PartitionRun& run, const std::shared_ptr<StepInside>& inside) {
  auto step = std::make_unique<AsyncStep>();
  step->done = [inside](const Status& status) { inside->EndPart(status); };
  step->outputs = &inside->outputs();
  Launch(AcquireInside(inside->around()), run, inside->TakeFeeds(), std::move(step));
}

bool Executor::TakesCosts() { return CountStep(*plan_) && environment_.forced_sharing == 0; }

void Executor::JudgePlan() {
  if (environment_.pool.threads() > 1) JudgeCosts(*plan_, kHandOffNanoseconds);
  is_brief_.store(IsBrief(*plan_, kBriefNanoseconds), std::memory_order_relaxed);
}

int64_t Executor::StopWith(Cancellation* cancellation, RunState& state) {
  if (cancellation == nullptr) return 0;
  const int64_t registration = cancellation->Register([&state] { state.Fail(StoppedByOthers()); });
  if (registration == 0) state.Fail(StoppedByOthers());
  return registration;
}

int64_t Executor::WatchFailure(StepParts* parts, RunState& state) {
  if (parts == nullptr) return 0;
  const int64_t registration = state.context().cancellation->Register([parts, &state] { parts->Fail(state.status()); });
  if (registration == 0) parts->Fail(state.status());
  return registration;
}

void Executor::RunAsync(const PartitionRun& run, std::function<void(const Status&)> done) {
  auto step = std::make_unique<AsyncStep>();
  step->done = std::move(done);
  Launch(Acquire(), run, {}, std::move(step));
}

Status Executor::RunAtOnce(int64_t step_id, std::shared_ptr<Rendezvous> rendezvous) {
  RunState* const state = Acquire();
  state->Begin(step_id, std::move(rendezvous));
  state->trace = false;
  state->sample_costs = TakesCosts();
  RunAlone(*state, {});
  Status status = state->status();
  state->End();
  Release(state);
  return status;
}

void Executor::Launch(RunState* state, const PartitionRun& run, std::vector<Tensor> feeds,
                      std::unique_ptr<AsyncStep> step) {
  state->references.fetch_add(1, std::memory_order_relaxed);  // the starting thread's own
  state->Begin(run.step_id, run.rendezvous, run.parts);
  state->trace = run.metadata != nullptr;
  // What a device is given costs nothing here, and keeps its order.
  state->sample_costs = run.device == nullptr && TakesCosts();
  state->BeginSharing(this);
  step->metadata = run.metadata;
  step->cancellation = run.cancellation;
  step->device = run.device;
  if (run.device != nullptr) run.device->BeginStep(run.step_id, [state](const Status& status) { state->Fail(status); });
  step->failure_watch = WatchFailure(run.parts.get(), *state);
  step->registration = StopWith(run.cancellation, *state);
  state->SetAsyncStep(std::move(step));
  auto run_it = [self = shared_from_this(), state, feeds = std::move(feeds)]() mutable {
    const SentTogether together(state->shared_rendezvous(), self->is_brief_.load(std::memory_order_relaxed));
    {
      Worker<true> worker(*state, state->own_buffers());
      worker.Start(feeds);
      feeds.clear();
      worker.Run();
    }
    self->EndAsyncStep(*state);
    self->Release(state);
  };
  if (run.is_helped) return environment_.pool.ScheduleHere(std::move(run_it));
  environment_.pool.Schedule(std::move(run_it));
}

void Executor::EndAsyncStep(RunState& state) {
  const auto step = state.TakeAsyncStep();
  if (step == nullptr) return;
  state.AwaitAnswers();
  if (step->registration != 0) step->cancellation->Deregister(step->registration);
  if (step->device != nullptr) {  // what it queued may fail yet, and nothing that it uses may go before
    if (const Status ended = step->device->EndStep(state.context().step_id); !ended.ok()) state.Fail(ended);
  }
  state.context().cancellation->Deregister(step->failure_watch);
  if (state.sample_costs) JudgePlan();
  const Status status = step->outputs == nullptr ? state.status() : TakeFetches(state, step->outputs);
  if (step->metadata != nullptr) *step->metadata = CollectTrace(state);
  state.End();
  Release(&state);
  step->done(status);
}

void Executor::Execute(RunState& state, std::span<const Tensor> feeds, Lookout* lookout) {
  state.sample_costs = TakesCosts();
  const bool is_worth_threads =
      environment_.forced_sharing > 0 ||
      (environment_.pool.threads() > 1 && plan_->worth_threads.load(std::memory_order_relaxed));
  if (is_worth_threads || plan_->has_async_kernels || state.rendezvous() != nullptr) {
    ExecuteShared(state, feeds, lookout);
    if (state.sample_costs) JudgePlan();
  } else {
    RunAlone(state, feeds);
  }
}

void Executor::RunAlone(RunState& state, std::span<const Tensor> feeds) {
  {
    const ThreadPool::AtWork at_work(environment_.pool);
    Worker<false> worker(state, state.own_buffers());
    worker.Start(feeds);
    worker.Run();
  }
  if (state.sample_costs) JudgePlan();
}

void Executor::ExecuteShared(RunState& state, std::span<const Tensor> feeds, Lookout* lookout) {
  state.BeginSharing(this);
  {
    const ThreadPool::AtWork at_work(environment_.pool);
    const SentTogether together(state.shared_rendezvous(), is_brief_.load(std::memory_order_relaxed));
    Worker<true> worker(state, state.own_buffers());
    worker.Start(feeds);
    worker.Run();
  }
  const auto has_finished = [&] { return state.finished(); };
  if (lookout != nullptr && !has_finished()) lookout->Until(has_finished);
  if (!has_finished()) environment_.pool.HelpUntil(has_finished);
  state.AwaitAnswers();  // a thread of somebody else may be about to send a helper, and the session may go after us
}

// A helper that waits for a thread keeps no state from later steps.
void Executor::SendHelper(RunState& state, int64_t step_id) {
  environment_.pool.Schedule([self = shared_from_this(), weak = state.weak_from_this(), step_id] {
    if (const auto alive = weak.lock()) self->Help(*alive, step_id);
  });
}

void Executor::Help(RunState& state, int64_t step_id) {
  if (!state.Join(step_id)) return;
  const SentTogether together(state.shared_rendezvous(), is_brief_.load(std::memory_order_relaxed));
  auto buffers = state.TakeBuffers();
  Worker<true>(state, *buffers).Run();
  state.GiveBack(std::move(buffers));
  EndAsyncStep(state);
  Release(&state);
}

Status Executor::TakeFetches(RunState& state, std::vector<Tensor>* outputs) {
  if (Status status = state.status(); !status.ok()) return status;
  std::vector<Entry>& fetched = state.fetched();
  for (size_t i = 0; i < fetched.size(); ++i) {
    if (fetched[i].tensor.IsSet()) continue;  // rules F26, F27
    return InvalidArgument("Retval[", i, "] does not have value: the tensor '", plan_->fetch_names[i],
                           "' is dead or was never computed")
        .status();
  }
  if (outputs == nullptr) return OkStatus();
  outputs->resize(plan_->fetch_positions.size());
  for (size_t i = 0; i < outputs->size(); ++i) (*outputs)[i] = fetched[plan_->fetch_positions[i]].tensor;  // rule F25
  return OkStatus();
}

Status Executor::TakeOutputs(RunState& state, std::vector<Tensor>* outputs) {
  if (outputs != nullptr && !state.stopped()) {
    for (Entry& each : state.fetched()) {
      if (each.tensor.is_alias()) [[unlikely]]
        each.tensor = CopyOf(each.tensor);  // rules F28, F29
    }
  }
  return TakeFetches(state, outputs);
}

RunState* Executor::Acquire() {
  MutexLock lock(mutex_);
  RunState* state;
  if (!free_.empty()) {
    state = free_.back();
    free_.pop_back();
  } else {
    states_.push_back(std::make_shared<RunState>(plan_, environment_.pool, environment_.resources));
    state = states_.back().get();
  }
  state->references.store(1, std::memory_order_relaxed);
  return state;
}

// Nobody takes it up again.
RunState* Executor::AcquireInside(StepContext& around) {
  auto state = std::make_shared<RunState>(plan_, environment_.pool, environment_.resources, &around.step_resources);
  state->references.store(1, std::memory_order_relaxed);
  MutexLock lock(mutex_);
  states_.push_back(std::move(state));
  return states_.back().get();
}

// Counting and giving back are one thing: CancelAll must not take a state whose last user is about to give it back.
void Executor::Release(RunState* state) {
  std::shared_ptr<RunState> surplus;  // destroyed after the lock is released
  MutexLock lock(mutex_);
  if (state->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (!state->is_inside() && free_.size() < kMaxIdleStates) {
    state->Rearm();
    return free_.push_back(state);
  }
  const auto place =
      std::find_if(states_.begin(), states_.end(), [&](const auto& each) { return each.get() == state; });
  surplus = std::move(*place);
  states_.erase(place);
}

size_t Executor::idle_states() const {
  MutexLock lock(mutex_);
  return free_.size();
}

void Executor::CancelAll(const Status& status) {
  std::vector<RunState*> running;
  {
    MutexLock lock(mutex_);
    for (const auto& state : states_) {
      if (state->references.load(std::memory_order_relaxed) == 0) continue;
      state->references.fetch_add(1, std::memory_order_relaxed);
      running.push_back(state.get());
    }
  }
  for (RunState* state : running) {
    state->Fail(status);
    Release(state);
  }
}

}  // namespace plumb::fast
