// Everything that changes while a step runs: input slots and counts of each iteration, frames, what is ready, the first
// error. A RunState belongs to one Plan and is used again by later steps.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "fastpath/compile/plan/plan.h"
#include "fastpath/device/rendezvous.h"
#include "fastpath/execute/async_call.h"
#include "spec/core/thread_annotations.h"
#include "spec/session/session.h"

namespace plumb::fast {

struct Iteration;

// A token that waits: for a place among the iterations (X17), or for each new iteration (X16).
struct HeldToken {
  uint32_t node = 0;  // whose out-edges it travels on
  bool is_dead = false;
  Entry value;
};

// Identified by parent iteration and name (rule X13). A step on one thread takes no lock (MutexLockIf).
struct FrameInstance {
  Mutex mutex;
  // Fixed while the frame is active.
  const PlanFrame* plan = nullptr;
  uint32_t index = 0;  // of `plan`
  FrameInstance* parent = nullptr;
  Iteration* parent_iteration = nullptr;
  int64_t parallel_iterations PLUMB_GUARDED_BY(mutex) = 1;

  bool is_active PLUMB_GUARDED_BY(mutex) = false;
  uint32_t pending_enters PLUMB_GUARDED_BY(mutex) = 0;
  int64_t num_iterations PLUMB_GUARDED_BY(mutex) = 0;  // not yet retired
  Iteration* oldest PLUMB_GUARDED_BY(mutex) = nullptr;
  Iteration* newest PLUMB_GUARDED_BY(mutex) = nullptr;
  std::vector<HeldToken> invariants PLUMB_GUARDED_BY(mutex);
  std::vector<HeldToken> waiting PLUMB_GUARDED_BY(mutex);    // live NextIterations beyond parallel_iterations
  std::vector<uint32_t> dead_exits PLUMB_GUARDED_BY(mutex);  // rule X20
  std::vector<uint32_t> live_exits PLUMB_GUARDED_BY(mutex);  // Exits that have sent their value
};

// One iteration of one frame instance: a recycled block laid out as its PlanFrame says.
struct Iteration {
  FrameInstance* frame = nullptr;
  FrameIteration place;                              // its number, and where its frame lies
  Iteration* next = nullptr;                         // the following iteration, or the next free block
  std::atomic<int64_t> outstanding{0};               // nodes ready or running, and unfinished child frames (rule X22)
  std::unique_ptr<std::atomic<uint32_t>[]> pending;  // bit 0: a dead token came; above: tokens to come
  std::unique_ptr<std::atomic<uint64_t>[]> merges;   // MergeState
  std::unique_ptr<Entry[]> slots;
  // By child_index, null until entered.
  std::unique_ptr<FrameInstance*[]> children PLUMB_GUARDED_BY(frame->mutex);
};

// When and where a node ran.
struct TraceRecord {
  uint32_t node;
  int32_t thread;
  int64_t start_ns;
  int64_t end_ns;
};

// What one thread needs while it works on a step; reused.
struct WorkerBuffers {
  std::vector<Entry> outputs;       // of the kernel that runs
  std::vector<ReadyNode> own;       // ready nodes of this thread, the next one last
  std::vector<ReadyNode> to_share;  // became ready just now, worth another thread
  Entry scratch;                    // copy of an input that stays in its slot
};

class RunState;
class StepParts;

// A step that nobody waits for: what is to be done when it is over (Executor::RunAsync).
struct AsyncStep {
  std::function<void(const Status&)> done;
  std::vector<Tensor>* outputs = nullptr;  // takes what is fetched; null: nothing is
  RunMetadata* metadata = nullptr;         // where it is traced
  Cancellation* cancellation = nullptr;
  int64_t registration = 0;   // with `cancellation`
  Device* device = nullptr;   // that it gave work to
  int64_t failure_watch = 0;  // of the step itself
};

// The status with the name of the node that it comes from.
Status AtNode(const Status& status, const PlanNodeInfo& info);

// Asked for another thread when a step has more to do than its threads can take.
class HelperSource {
 public:
  virtual ~HelperSource() = default;
  // The helper comes some time and joins the step of that number, unless it is over by then.
  virtual void SendHelper(RunState& state, int64_t step_id) = 0;
};

class RunState : public std::enable_shared_from_this<RunState> {
 public:
  // `outer_resources`: of the step that this one is inside of; null: it has its own, or those of its parts (rule R6).
  RunState(std::shared_ptr<const Plan> plan, ThreadPool& pool, ResourceManager& resources,
           ResourceManager* outer_resources = nullptr);
  // Such a state is used once.
  bool is_inside() const { return outer_resources_ != nullptr; }

  const Plan& plan() const { return *plan_; }
  // From when the step begins.
  StepContext& context() { return *context_; }
  Rendezvous* rendezvous() const { return rendezvous_.get(); }
  const std::shared_ptr<Rendezvous>& shared_rendezvous() const { return rendezvous_; }
  // The device of all its nodes, where it is not the host's.
  int device() const { return plan_->info.empty() ? 0 : plan_->info[0].device; }

  // Makes everything as it was before the first step. No other thread is in the step yet. `rendezvous`: where its Sends
  // and Recvs meet others; null where there are none. `parts`: what it is a part of; null: it is a whole step.
  void Begin(int64_t step_id, std::shared_ptr<Rendezvous> rendezvous,
             std::shared_ptr<StepParts> parts = nullptr) PLUMB_NO_THREAD_SAFETY_ANALYSIS;
  // The same for what several threads share, where they do; `source` sends them.
  void BeginSharing(HelperSource* source);
  // Drops the values that nodes left behind, and the step's resources. No other thread is at work on them any more.
  void End() PLUMB_NO_THREAD_SAFETY_ANALYSIS;

  // The first error wins (rule X9); it also stops the step.
  void Fail(Status status);
  // Fails because its time is over, and says what asynchronous kernels wait for, in all parts of the step (rule S4).
  // This and Waits, which looks at the calls under way, are in async_call.cc.
  void TimeOut(int64_t timeout_ms);
  // Who waits for what here.
  std::vector<std::string> Waits();
  // Takes a stop back, when nobody uses the state any more: a step that begins is not stopped, and whoever stops it
  // from then on is heard.
  void Rearm();
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  Status status();

  Iteration* root() { return first_iteration_; }
  // Take blocks from and give them back to the pools; thread-safe unless the step has one thread only.
  Iteration* NewIteration(FrameInstance& frame, int64_t number, bool is_shared = true);
  void Recycle(Iteration* iteration, bool is_shared = true);
  FrameInstance* NewFrame(uint32_t index, FrameInstance* parent, Iteration* parent_iteration,
                          int64_t parallel_iterations);
  void Recycle(FrameInstance* frame) PLUMB_REQUIRES(frame->mutex);

  // Puts what is fetched in its place; a second time is kInternal (rule F30).
  void SetFetch(const PlanNode& node, const Entry& fetched);
  // Values, and variables that are to be read now that the step is over (rule F28).
  std::vector<Entry>& fetched() { return fetched_; }

  // The buffers of the calling thread, and of its helpers.
  WorkerBuffers& own_buffers() { return own_buffers_; }
  std::unique_ptr<WorkerBuffers> TakeBuffers();
  void GiveBack(std::unique_ptr<WorkerBuffers> buffers);

  // Steps that use several threads: ready nodes that are worth one, most urgent first. The step is over when the queue
  // is empty and no thread is at work (rule X8).
  void Share(std::vector<ReadyNode>& nodes);
  static ReadyNode TakeMostUrgent(std::vector<ReadyNode>& nodes);
  // The next thing to do for a thread that has none of its own: a ready node, or a call that has finished. Neither: the
  // thread is done with this step.
  struct SharedWork {
    std::optional<ReadyNode> node;
    CallHandle finished;
  };
  SharedWork TakeShared();
  // An asynchronous call (async_call.cc) begins; `Finish`, on any thread, ends it, or `Withdraw` as if it had not
  // begun.
  AsyncCall& BeginCall(ReadyNode ready, bool is_dead);
  void Finish(AsyncCall& call, const Status& status);
  void Withdraw(AsyncCall& call);
  // A call that the thread which started it has answered itself: it goes on with that at once.
  CallHandle TakeBack(AsyncCall& call);
  // After the end of a step: until the threads that answered calls have left it.
  void AwaitAnswers() const;
  // The step is over and was asked for by RunAsync: whoever gets this, once, ends it.
  void SetAsyncStep(std::unique_ptr<AsyncStep> step) {
    MutexLock lock(queue_mutex_);
    async_step_ = std::move(step);
  }
  std::unique_ptr<AsyncStep> TakeAsyncStep();
  // A helper arrives; true: it works on the step and holds a reference. False: there is nothing left for it.
  bool Join(int64_t step_id);
  bool finished() const { return finished_.load(std::memory_order_acquire); }

  std::atomic<int> references{0};  // threads that may still touch this; none: free for another step

  bool sample_costs = false;
  bool trace = false;
  Mutex trace_mutex;
  std::vector<TraceRecord> trace_records PLUMB_GUARDED_BY(trace_mutex);

 private:
  CallHandle TakeCall(AsyncCall& call) PLUMB_REQUIRES(queue_mutex_);
  // Takes back what the call has parked: after this it is not stopped, nor being stopped, unless by the caller itself.
  void Unpark(AsyncCall& call);
  void StopCalls();
  void EndWork(int64_t count) PLUMB_REQUIRES(queue_mutex_);
  static void Build(Iteration& iteration, const PlanFrame& plan);
  void ResetCounts(Iteration& iteration);
  void ClearSlots(Iteration& iteration);

  std::shared_ptr<const Plan> plan_;
  ThreadPool& pool_;
  ResourceManager& resources_;
  ResourceManager* const outer_resources_;
  ResourceManager own_resources_;
  Cancellation cancellation_;
  std::optional<StepContext> context_;
  FrameInstance root_;
  Iteration* first_iteration_ = nullptr;  // of the root frame
  std::atomic<bool> stop_{false};
  Mutex status_mutex_;
  Status status_ PLUMB_GUARDED_BY(status_mutex_);  // OK unless stop_ was set
  std::vector<Entry> fetched_;

  std::shared_ptr<Rendezvous> rendezvous_;  // fixed while a step runs
  std::shared_ptr<StepParts> parts_;        // so is this
  HelperSource* helper_source_ = nullptr;
  WorkerBuffers own_buffers_;
  Mutex queue_mutex_;
  std::vector<ReadyNode> queue_ PLUMB_GUARDED_BY(queue_mutex_);  // a heap, the most urgent on top
  int64_t joinable_step_ PLUMB_GUARDED_BY(queue_mutex_) = 0;     // 0 when none runs
  int active_workers_ PLUMB_GUARDED_BY(queue_mutex_) = 0;
  int helpers_sent_ PLUMB_GUARDED_BY(queue_mutex_) = 0;           // not arrived yet
  std::vector<CallHandle> calls_ PLUMB_GUARDED_BY(queue_mutex_);  // not yet answered
  std::vector<CallHandle> finished_calls_ PLUMB_GUARDED_BY(queue_mutex_);
  const AsyncCall* stopping_ PLUMB_GUARDED_BY(queue_mutex_) = nullptr;  // whose waiter is being stopped
  std::thread::id stopping_on_ PLUMB_GUARDED_BY(queue_mutex_);
  CondVar told_;
  std::unique_ptr<AsyncStep> async_step_ PLUMB_GUARDED_BY(queue_mutex_);
  std::vector<std::unique_ptr<WorkerBuffers>> spare_buffers_ PLUMB_GUARDED_BY(queue_mutex_);
  std::atomic<bool> finished_{true};
  std::atomic<int> answers_to_come_{0};  // calls whose answer is not given, or still being given

  Mutex pool_mutex_;
  std::vector<std::unique_ptr<Iteration>> iterations_ PLUMB_GUARDED_BY(pool_mutex_);  // all blocks ever made
  std::vector<std::unique_ptr<FrameInstance>> instances_ PLUMB_GUARDED_BY(pool_mutex_);
  std::vector<Iteration*> free_iterations_ PLUMB_GUARDED_BY(pool_mutex_);               // lists, by frame
  std::vector<std::vector<FrameInstance*>> free_frames_ PLUMB_GUARDED_BY(pool_mutex_);  // by frame
};

}  // namespace plumb::fast
