// Everything that changes while a step runs: input slots and counts of each iteration, frames, what is ready, the first
// error. A RunState belongs to one Plan and is used again by later steps.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "fastpath/compile/plan.h"

namespace plumb::fast {

struct FrameInstance;

// One iteration of one frame instance: a recycled block laid out as its PlanFrame says.
struct Iteration {
  FrameInstance* frame = nullptr;
  int64_t number = 0;
  Iteration* next = nullptr;                         // the following iteration, or the next free block
  std::atomic<int64_t> outstanding{0};               // nodes ready or running, and unfinished child frames (rule X22)
  std::unique_ptr<std::atomic<uint32_t>[]> pending;  // bit 0: a dead token came; above: tokens to come
  std::unique_ptr<std::atomic<uint64_t>[]> merges;   // MergeState
  std::unique_ptr<Entry[]> slots;
  std::unique_ptr<FrameInstance*[]> children;  // GUARDED_BY(frame->mutex): by child_index, null until entered
};

// A token that waits: for a place among the iterations (X17), or for each new iteration (X16).
struct HeldToken {
  uint32_t node = 0;  // whose out-edges it travels on
  bool is_dead = false;
  Entry value;
};

// Identified by parent iteration and name (rule X13).
struct FrameInstance {
  std::mutex mutex;  // guards all below in steps with several threads
  const PlanFrame* plan = nullptr;
  uint32_t index = 0;  // of `plan`
  FrameInstance* parent = nullptr;
  Iteration* parent_iteration = nullptr;
  bool is_active = false;
  int64_t parallel_iterations = 1;
  uint32_t pending_enters = 0;
  int64_t num_iterations = 0;  // not yet retired
  Iteration* oldest = nullptr;
  Iteration* newest = nullptr;
  std::vector<HeldToken> invariants;
  std::vector<HeldToken> waiting;    // live NextIterations beyond parallel_iterations
  std::vector<uint32_t> dead_exits;  // rule X20
  std::vector<uint32_t> live_exits;  // Exits that have sent their value
};

// A node that may run, in the iteration it runs in.
struct ReadyNode {
  uint32_t node;
  Iteration* iteration;
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

// An asynchronous kernel between its start and the moment when its outputs travel on.
struct AsyncCall {
  AsyncCall(RunState& state, const PlanNode& node, ReadyNode ready);
  RunState& state;
  const ReadyNode ready;
  std::vector<Entry> outputs;
  KernelContext context;
};

// Asked for another thread when a step has more to do than its threads can take.
class HelperSource {
 public:
  virtual ~HelperSource() = default;
  // The helper comes some time and joins the step of that number, unless it is over by then.
  virtual void SendHelper(RunState& state, int64_t step_id) = 0;
};

class RunState : public std::enable_shared_from_this<RunState> {
 public:
  RunState(std::shared_ptr<const Plan> plan, ThreadPool& pool, ResourceManager& resources);

  const Plan& plan() const { return *plan_; }
  StepContext& context() { return context_; }

  // Makes everything as it was before the first step.
  void Begin(int64_t step_id);
  // The same for what several threads share, where they do; `source` sends them.
  void BeginSharing(HelperSource* source);
  // Drops the values that nodes left behind, and the step's resources.
  void End();

  // The first error wins (rule X9); it also stops the step.
  void Fail(Status status);
  // Takes a stop back, when nobody uses the state any more: a step that begins is not stopped, and whoever stops it
  // from then on is heard.
  void Rearm();
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  Status status();

  Iteration* root() { return root_.oldest; }
  // Take blocks from and give them back to the pools; thread-safe unless the step has one thread only.
  Iteration* NewIteration(FrameInstance& frame, int64_t number, bool is_shared = true);
  void Recycle(Iteration* iteration, bool is_shared = true);
  FrameInstance* NewFrame(uint32_t index, FrameInstance* parent, Iteration* parent_iteration);
  void Recycle(FrameInstance* frame);

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
    std::unique_ptr<AsyncCall> finished;
  };
  SharedWork TakeShared();
  // An asynchronous call begins; `Finish`, on any thread, ends it.
  void BeginAsync();
  void Finish(std::unique_ptr<AsyncCall> call, const Status& status);
  // A helper arrives; true: it works on the step and holds a reference. False: there is nothing left for it.
  bool Join(int64_t step_id);
  bool finished() const { return finished_.load(std::memory_order_acquire); }

  std::atomic<int> references{0};  // threads that may still touch this; none: free for another step

  bool sample_costs = false;
  bool trace = false;
  std::mutex trace_mutex;
  std::vector<TraceRecord> trace_records;  // GUARDED_BY(trace_mutex)

 private:
  void ResetCounts(Iteration& iteration);
  void ClearSlots(Iteration& iteration);

  std::shared_ptr<const Plan> plan_;
  ResourceManager step_resources_;
  Cancellation cancellation_;
  StepContext context_;
  FrameInstance root_;
  std::atomic<bool> stop_{false};
  std::mutex status_mutex_;
  Status status_;  // GUARDED_BY(status_mutex_); OK unless stop_ was set
  std::vector<Entry> fetched_;

  HelperSource* helper_source_ = nullptr;
  WorkerBuffers own_buffers_;
  std::mutex queue_mutex_;
  std::vector<ReadyNode> queue_;                            // GUARDED_BY(queue_mutex_): a heap, the most urgent on top
  int64_t joinable_step_ = 0;                               // GUARDED_BY(queue_mutex_): 0 when none runs
  int active_workers_ = 0;                                  // GUARDED_BY(queue_mutex_)
  int helpers_sent_ = 0;                                    // GUARDED_BY(queue_mutex_): not arrived yet
  int calls_ = 0;                                           // GUARDED_BY(queue_mutex_): asynchronous, not yet finished
  std::vector<std::unique_ptr<AsyncCall>> finished_calls_;  // GUARDED_BY(queue_mutex_)
  std::vector<std::unique_ptr<WorkerBuffers>> spare_buffers_;  // GUARDED_BY(queue_mutex_)
  std::atomic<bool> finished_{false};

  std::mutex pool_mutex_;
  std::vector<std::unique_ptr<Iteration>> iterations_;     // GUARDED_BY(pool_mutex_): all blocks ever made
  std::vector<std::unique_ptr<FrameInstance>> instances_;  // GUARDED_BY(pool_mutex_)
  std::vector<Iteration*> free_iterations_;                // GUARDED_BY(pool_mutex_): lists, by frame
  std::vector<std::vector<FrameInstance*>> free_frames_;   // GUARDED_BY(pool_mutex_): by frame
};

}  // namespace plumb::fast
