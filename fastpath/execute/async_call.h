// An asynchronous kernel between its start and the moment when its outputs travel on.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "fastpath/compile/plan/plan.h"
#include "fastpath/device/async_kernel.h"

namespace plumb::fast {

class RunState;
struct Iteration;

// A node that may run, in the iteration it runs in.
struct ReadyNode {
  uint32_t node;
  Iteration* iteration;
};

// The step has it until its outputs have travelled on, and those who may answer until none of them is left; what they
// hold by then is memory without a matter.
class AsyncCall final : public AsyncAnswer {
 public:
  AsyncCall(RunState& state, ReadyNode ready, bool is_dead);

  // Gives up the step's part in it.
  struct GiveUp {
    void operator()(AsyncCall* call) const {
      call->outputs.clear();
      call->Release();
    }
  };

  RunState& state;
  const ReadyNode ready;
  absl::InlinedVector<Entry, 1> outputs;
  AsyncContext context;
  int64_t start_ns = 0;  // where the step is traced
  size_t position = 0;   // among the open calls of the step
  bool is_told = false;  // that the step is stopped

 private:
  ~AsyncCall() override = default;
  void Take(const Status& status) override;
  void Release() override {
    if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  std::atomic<int> owners_{2};  // the step, and those who may answer
};
using CallHandle = std::unique_ptr<AsyncCall, AsyncCall::GiveUp>;

// A call whose kernel is being started by this thread. An answer that the thread gives meanwhile is left here, and
// nobody is sent for what the thread is about to go on with.
class StartingCall {
 public:
  explicit StartingCall(AsyncCall& call) : call_(call), outer_(std::exchange(innermost, this)) {}
  ~StartingCall() { innermost = outer_; }
  StartingCall(const StartingCall&) = delete;
  StartingCall& operator=(const StartingCall&) = delete;

  bool is_answered() const { return is_answered_; }
  // True where the answer to that call is left to the thread that asks.
  static bool TakesAnswer(const AsyncCall& call) {
    if (innermost == nullptr || &innermost->call_ != &call) return false;
    return innermost->is_answered_ = true;
  }

 private:
  static thread_local StartingCall* innermost;
  AsyncCall& call_;
  StartingCall* const outer_;
  bool is_answered_ = false;
};

// "'dequeue' (QueueDequeueV2) in while:3 waits for ", and then follows for what. Where it does not lie on the first
// device, it says which one.
std::string WhoWaits(const AsyncCall& call);

}  // namespace plumb::fast
