// One thread's part in a step: runs ready nodes, sends their tokens on and collects what becomes ready.
//
// kShared says whether other threads may work on the same step. If not, counts are plain memory and nothing is locked.
// Cheap nodes stay on the worker's own stack and run depth first; nodes worth a hand-off go to the step's queue.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "fastpath/execute/run_state.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

// On the way of every node: a call would cost as much as the work.
#define PLUMB_HOT [[gnu::always_inline]]

// A node that takes this long is worth another thread.
constexpr uint32_t kHandOffNanoseconds = 2000;
// How many cheap nodes may go before one that is worth it and could be handed over: together they take about as long as
// waking a thread.
constexpr int kCheapBeforeHandOff = 64;

template <bool kShared>
class Worker {
 public:
  Worker(RunState& state, WorkerBuffers& buffers)
      : state_(state),
        plan_(state.plan()),
        outputs_(buffers.outputs),
        own_(buffers.own),
        to_share_(buffers.to_share),
        scratch_(buffers.scratch) {}

  // Puts the feeds into their slots and makes the nodes without inputs ready.
  void Start(std::span<const Tensor> feeds);
  // Runs until nothing is left to do for this thread.
  void Run();

 private:
  // --- running nodes (worker.cc)
  void RunOwnNodes();
  PLUMB_HOT void RunNode(const PlanNode& node, Iteration& at);
  PLUMB_HOT void RunLive(const PlanNode& node, Iteration& at, Entry* inputs);
  void RunDead(const PlanNode& node, Iteration& at, Entry* inputs);
  PLUMB_HOT void RunKernel(const PlanNode& node, Iteration& at, Entry* inputs);
  void CallKernel(const PlanNode& node, KernelContext& context);
  void RunSwitch(const PlanNode& node, Iteration& at, Entry* inputs);
  void RunMerge(const PlanNode& node, Iteration& at, Entry* inputs);
  void RunFetch(const PlanNode& node, Entry* inputs);
  // Replaces references by what the slots ask for (rules R13, R30). `only`: that input, or -1: all.
  void ResolveReferences(const PlanNode& node, Entry* inputs, int only);
  void CheckReferences(const PlanNode& node, const Entry* inputs, int only) const;
  PLUMB_HOT void CheckOutputs(const PlanNode& node, const Entry* outputs);
  PLUMB_HOT void ClearInputs(const PlanNode& node, Iteration& at, Entry* inputs);
  Entry& MoveableInput(const PlanNode& node, Iteration& at, Entry* inputs);
  PLUMB_HOT bool IsConstantInput(const PlanNode& node, const Iteration& at, uint32_t i) const;
  bool HasOwnNodes() const { return top_.iteration != nullptr || !own_.empty(); }
  PLUMB_HOT ReadyNode TakeOwnNode();
  bool TakeFromQueue();
  [[noreturn]] void ThrowMissing(const PlanNode& node, uint32_t output);
  const PlanNodeInfo& InfoOf(const PlanNode& node) const { return plan_.info[&node - plan_.nodes.data()]; }

  // --- sending tokens (propagation.h). ValueOf(output) gives the entry to send, or null for a dead output.
  template <class ValueOf>
  PLUMB_HOT void Send(const PlanNode& node, Iteration& to, bool is_dead, const ValueOf& value_of);
  // The same, keeping the values (for loop invariants).
  void SendCopy(const HeldToken& token, Iteration& to);
  // One token each: a value (moved away), a dead value, a control token.
  PLUMB_HOT void DeliverValue(const PlanEdge& edge, Iteration& to, Entry& value);
  void DeliverCopy(const PlanEdge& edge, Iteration& to, const Entry& value);
  void DeliverDead(const PlanEdge& edge, Iteration& to, bool from_enter);
  PLUMB_HOT void DeliverControl(const PlanEdge& edge, Iteration& to, bool is_dead);
  void ValueToMerge(const PlanEdge& edge, Iteration& to, Entry& value);
  void DeadToMerge(const PlanEdge& edge, Iteration& to, bool from_enter);
  void ControlToMerge(const PlanEdge& edge, Iteration& to);
  PLUMB_HOT void Count(const PlanEdge& edge, Iteration& to, bool is_dead);
  PLUMB_HOT void MakeReady(uint32_t node, Iteration& at);
  PLUMB_HOT void AddOutstanding(Iteration& to, int64_t count);
  PLUMB_HOT void ShareReady();
  void ShareKept();

  // --- asynchronous kernels (async.h)
  void StartAsync(const PlanNode& node, Iteration& at, Entry* inputs, bool is_dead);
  void AnswerAtOnce(const PlanNode& node, Iteration& at, Entry* inputs, bool is_dead);
  void FinishAsync(AsyncCall& call);
  void SendAnswer(const PlanNode& node, Iteration& at, const AsyncContext& context, Entry* outputs);

  // --- frames (frames.h)
  void RunEnter(const PlanNode& node, Iteration& at, bool is_dead, Entry* inputs);
  void RunExit(const PlanNode& node, Iteration& at, bool is_dead, Entry* inputs);
  void RunNextIteration(const PlanNode& node, Iteration& at, bool is_dead, Entry* inputs);
  bool SendsFirst(FrameInstance& frame, const PlanNode& exit);
  FrameInstance& ChildFrame(const PlanNode& node, Iteration& at);
  Iteration& StartIteration(FrameInstance& frame) PLUMB_REQUIRES(frame.mutex);
  PLUMB_HOT void NodeDone(Iteration& at);
  void FlushDone();
  void RetireIterations(FrameInstance* frame);
  bool RetireOldest(FrameInstance& frame) PLUMB_REQUIRES(frame.mutex);

  RunState& state_;
  const Plan& plan_;
  std::vector<Entry>& outputs_;
  std::vector<ReadyNode>& own_;
  std::vector<ReadyNode>& to_share_;
  Entry& scratch_;
  int64_t made_ready_ = 0;        // during the current Send
  Iteration* done_in_ = nullptr;  // finished nodes of this iteration are not yet subtracted from `outstanding`:
  int64_t done_ = 0;              // this many
  ReadyNode top_{};               // the top of the stack `own_`, where there is one
  ReadyNode kept_{};              // worth a hand-off; it runs when nothing else is left,
  int kept_for_ = 0;              // or is shared after so many nodes
  ReadyNode current_{};
  CallHandle arrived_;  // finished, its outputs to be sent next
};

}  // namespace plumb::fast
