// Runs steps over one plan: any number at once, each with a pooled RunState of its own.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "fastpath/compile/plan.h"
#include "fastpath/execute/run_state.h"
#include "fastpath/execute/watchdog.h"
#include "spec/core/thread_annotations.h"
#include "spec/session/session.h"

namespace plumb::fast {

// What the steps of a session share.
struct StepEnvironment {
  ThreadPool& pool;
  ResourceManager& resources;
  Watchdog& watchdog;
  int forced_sharing = 0;                // of SessionOptions
  std::atomic<int64_t> next_step_id{1};  // rule S8
  std::atomic<bool> closed{false};       // rule S2
};

class Executor : public HelperSource, public std::enable_shared_from_this<Executor> {
 public:
  Executor(std::shared_ptr<const Plan> plan, StepEnvironment& environment);

  const Plan& plan() const { return *plan_; }

  // One step. `feeds` are in the order of the plan's feeds, with matching types; on success *outputs holds a tensor for
  // each fetch of the request.
  Status Run(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
             RunMetadata* metadata);

  // As part of another step, for one of its kernels: with its number, its resources (rule R6) and its end. Handles may
  // be fed.
  Status RunInside(StepContext& step, std::span<const Tensor> feeds, std::vector<Tensor>* outputs);

  // Stops the steps that run now with `status`.
  void CancelAll(const Status& status);

  // States that are kept for later steps: as many as clients run the same step at once, within reason.
  static constexpr size_t kMaxIdleStates = 64;
  size_t idle_states() const;

 protected:
  void SendHelper(RunState& state, int64_t step_id) override;

 private:
  RunState* Acquire();
  // Gives up a reference; the last one makes the state free for another step.
  void Release(RunState* state);
  void Execute(RunState& state, std::span<const Tensor> feeds);
  void ExecuteShared(RunState& state, std::span<const Tensor> feeds);
  void Help(RunState& state, int64_t step_id);
  Status TakeOutputs(RunState& state, std::vector<Tensor>* outputs);

  std::shared_ptr<const Plan> plan_;
  StepEnvironment& environment_;
  mutable Mutex mutex_;
  std::vector<std::shared_ptr<RunState>> states_ PLUMB_GUARDED_BY(mutex_);  // all
  std::vector<RunState*> free_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
