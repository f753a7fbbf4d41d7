// Runs steps over one plan: any number at once, each with a pooled RunState of its own. A plan may be a partition of a
// step: its part on one device (rule W20).
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "fastpath/compile/plan/plan.h"
#include "fastpath/device/device.h"
#include "fastpath/execute/run_state.h"
#include "fastpath/execute/step_inside.h"
#include "fastpath/execute/step_parts.h"
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

// Steps of one request.
class StepRunner {
 public:
  virtual ~StepRunner() = default;
  // One step. `feeds` are in the order of the request's feeds, with matching types; on success *outputs holds a tensor
  // for each of its fetches.
  virtual Status Run(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
                     RunMetadata* metadata) = 0;
  // As the body of a call in another step, with its resources (rule R6) and its end: feeds are the inputs of the call,
  // which may be handles, fetches its outputs. The call waits for what the nodes in here wait for, and no thread does.
  // The runner lives until the answer.
  virtual void RunInside(AsyncContext& call, AsyncKernel::Done done) = 0;
  // Stops the steps that run now with `status`.
  virtual void CancelAll(const Status& status) = 0;
};

// One step over a partition.
struct PartitionRun {
  int64_t step_id = 0;
  std::shared_ptr<Rendezvous> rendezvous;
  Cancellation* cancellation = nullptr;  // stops it with kCancelled; null: nobody does
  RunMetadata* metadata = nullptr;       // filled when it is not null
  std::shared_ptr<StepParts> parts;      // told as soon as it fails, and asked what they wait for; null: there are none
  Device* device = nullptr;              // that it gives work to; null: the host alone
  Lookout* lookout = nullptr;            // for whoever waits in RunWith
  bool is_helped = false;                // the thread that begins it waits for it in HelpUntil, and does nothing before
};

class Executor : public StepRunner, public HelperSource, public std::enable_shared_from_this<Executor> {
 public:
  Executor(std::shared_ptr<const Plan> plan, StepEnvironment& environment);

  const Plan& plan() const { return *plan_; }

  Status Run(const RunOptions& options, std::span<const Tensor> feeds, std::vector<Tensor>* outputs,
             RunMetadata* metadata) override;

  void RunInside(AsyncContext& call, AsyncKernel::Done done) override;
  // The part of it that has the feeds and fetches. The parts know the run by its own number, `run.step_id`.
  void RunAsyncInside(const PartitionRun& run, const std::shared_ptr<StepInside>& inside);
  // A partition by itself, without feeds and fetches, on the threads of the pool: of one with a single thread, on those
  // that wait in HelpUntil. `done` gets the outcome, once, on any thread; rendezvous and cancellation live until then.
  void RunAsync(const PartitionRun& run, std::function<void(const Status&)> done);
  // A partition in which nothing waits, without feeds and fetches, on the calling thread alone. Throws nothing.
  Status RunAtOnce(int64_t step_id, std::shared_ptr<Rendezvous> rendezvous);
  // Whether all nodes together took less than some microseconds in the steps that were sampled.
  bool is_brief() const { return is_brief_.load(std::memory_order_relaxed); }
  // A partition with feeds and fetches, on the calling thread. The fetches are taken when all parts have ended well;
  // the deadline is that of all of them.
  Status RunWith(const PartitionRun& run, const RunOptions& options, std::span<const Tensor> feeds,
                 std::vector<Tensor>* outputs);
  // Throws kInvalidArgument where a value does not fit its feed.
  void CheckFeeds(std::span<const Tensor> feeds) const;

  void CancelAll(const Status& status) override;

  // States that are kept for later steps: as many as clients run the same step at once, within reason.
  static constexpr size_t kMaxIdleStates = 64;
  size_t idle_states() const;

 protected:
  void SendHelper(RunState& state, int64_t step_id) override;

 private:
  RunState* Acquire();
  RunState* AcquireInside(StepContext& around);
  void Launch(RunState* state, const PartitionRun& run, std::vector<Tensor> feeds, std::unique_ptr<AsyncStep> step);
  // Gives up a reference; the last one makes the state free for another step.
  void Release(RunState* state);
  void Execute(RunState& state, std::span<const Tensor> feeds, Lookout* lookout);
  // On the calling thread; nothing waits.
  void RunAlone(RunState& state, std::span<const Tensor> feeds);
  void ExecuteShared(RunState& state, std::span<const Tensor> feeds, Lookout* lookout);
  void Help(RunState& state, int64_t step_id);
  // Ends a step of RunAsync when it is over. The caller's thread does nothing more for it.
  void EndAsyncStep(RunState& state);
  // Whether the step that begins is sampled. Costs that are pretended stay as they are.
  bool TakesCosts();
  // After a sampled step.
  void JudgePlan();
  int64_t StopWith(Cancellation* cancellation, RunState& state);
  // The other parts learn of a failure when it happens.
  int64_t WatchFailure(StepParts* parts, RunState& state);
  // What is fetched, as it is: aliases are to be copied when the step is over.
  Status TakeFetches(RunState& state, std::vector<Tensor>* outputs);
  Status TakeOutputs(RunState& state, std::vector<Tensor>* outputs);

  std::shared_ptr<const Plan> plan_;
  StepEnvironment& environment_;
  std::atomic<bool> is_brief_{false};  // no message waits long for those that a thread sends after it
  mutable Mutex mutex_;
  std::vector<std::shared_ptr<RunState>> states_ PLUMB_GUARDED_BY(mutex_);  // all
  std::vector<RunState*> free_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
