// An asynchronous kernel between its start and the moment when its outputs travel on.
#pragma once

#include <atomic>
#include <string>
#include <utility>
#include <vector>

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

struct AsyncCall {
  AsyncCall(RunState& state, ReadyNode ready, bool is_dead);

  RunState& state;
  const ReadyNode ready;
  std::vector<Entry> outputs;
  AsyncContext context;
  int64_t start_ns = 0;  // where the step is traced
  size_t position = 0;   // among the open calls of the step
};

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

// The one answer to a call, shared by the copies of `done`. A call that is answered may be gone.
class AsyncAnswer {
 public:
  explicit AsyncAnswer(AsyncCall& call) : call_(call) {}
  AsyncAnswer(const AsyncAnswer&) = delete;
  AsyncAnswer& operator=(const AsyncAnswer&) = delete;
  // Nobody is left who could answer.
  ~AsyncAnswer();

  void Give(const Status& status);
  // The kernel did not start after all.
  void Withdraw();

 private:
  AsyncCall& call_;
  std::atomic<bool> is_given_{false};
};

// "'dequeue' (QueueDequeueV2) in while:3 waits for ", and then follows for what. Where it does not lie on the first
// device, it says which one.
std::string WhoWaits(const AsyncCall& call);

}  // namespace plumb::fast
