// Kernels that finish later: queues, receives, whatever waits. No thread waits with them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fastpath/device/async_answer.h"
#include "fastpath/device/kernel.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

class Rendezvous;  // fastpath/device/rendezvous.h

// Tells who waits for what, a line each.
using WaitList = std::function<std::vector<std::string>()>;
// The same of one who waits: Waiter::Text.
using WaitText = std::function<std::string()>;

// A kernel that waits.
class Waiter {
 public:
  virtual ~Waiter() = default;
  // For what, in words that go on from "waits for" ("an element of queue 'q'"), when a deadline passes and somebody
  // asks. May take locks, and may be called once more when the answer is given.
  virtual std::string Text() = 0;
  // The step is stopped: sees to an answer.
  virtual void Stop() = 0;
};

// What an asynchronous kernel sees. It lives until the kernel has answered.
class AsyncContext : public KernelContext {
 public:
  AsyncContext(StepContext& step, Entry* inputs, int num_inputs, Entry* outputs, int num_outputs,
               const std::string* node, const FrameIteration* place, bool is_dead, Rendezvous* rendezvous)
      : KernelContext(step, inputs, num_inputs, outputs, num_outputs, node, place),
        is_dead_(is_dead),
        rendezvous_(rendezvous) {}

  // Whether the node is dead (rule X2); only kernels that start then see it. An input that is dead has no value, and
  // the outputs will be dead whatever is set.
  bool is_dead() const { return is_dead_; }
  // Where the step's Sends and Recvs meet others; null where it has none.
  Rendezvous* rendezvous() const { return rendezvous_; }
  // The answer will have no value at `output` (rule X4); control edges stay live (rule X3).
  void SetDead(int output);
  // The answer will be that the node never fires, as if a token had not come: nothing travels on.
  void SetAbandoned() { is_abandoned_ = true; }

  // The kernel waits. Its waiter is asked and stopped until the answer takes both back. Nobody else has `done` before
  // this returns. False: the step is stopped already, nothing was kept, and the caller answers. Once per start. From
  // now on the answer may come at any time, and with it the end of this context.
  bool Park(std::shared_ptr<Waiter> waiter);
  // The same with functions.
  bool Park(WaitText waits_for, std::function<void()> stop);
  bool Park(std::string waits_for, std::function<void()> stop) {
    return Park([text = std::move(waits_for)] { return text; }, std::move(stop));
  }
  // As Park, of a kernel that runs a step inside of this one: it waits for what the nodes in there wait for.
  // `waits_inside` gives a line for each; it owns what it needs, and may be called once more when the answer is given.
  bool ParkAround(WaitList waits_inside, std::function<void()> stop);
  // The error of the answer comes from a node inside, and names it.
  void SetErrorIsInside() { error_is_inside_ = true; }

  // --- for the executor
  bool IsDead(int output) const { return !dead_outputs_.empty() && dead_outputs_[output]; }
  bool is_abandoned() const { return is_abandoned_; }
  // Takes back what Park gave.
  void Unpark();
  // Null where the kernel has not parked. When the step is stopped, and this is asked after that, it will not park.
  std::shared_ptr<Waiter> waiter();
  // Null where the kernel runs no step inside.
  WaitList waits_inside();
  bool error_is_inside() const { return error_is_inside_; }

 private:
  const bool is_dead_;
  Rendezvous* const rendezvous_;
  std::vector<bool> dead_outputs_;
  bool is_abandoned_ = false;
  bool error_is_inside_ = false;
  Mutex mutex_;
  std::shared_ptr<Waiter> waiter_ PLUMB_GUARDED_BY(mutex_);
  WaitList waits_inside_ PLUMB_GUARDED_BY(mutex_);
};

class AsyncKernel : public Kernel {
 public:
  using Done = fast::Done;
  // Returns soon. It, or whoever it leaves the matter to, on any thread, sets the outputs and then calls `done` once,
  // holding no lock that the waiter's Stop takes. When Start throws, the node fails.
  virtual void Start(AsyncContext& context, Done done) = 0;
  // Whether it never waits: then Answer is called in the place of Start, and sets the outputs.
  virtual bool AnswersAtOnce() const { return false; }
  virtual Status Answer(AsyncContext&) { throw Internal("an asynchronous kernel was asked for its answer at once"); }
  // Whether it is started for dead inputs as well (rule X4).
  virtual bool StartsWhenDead() const { return false; }
  void Run(KernelContext&) final { throw Internal("an asynchronous kernel was run as a synchronous one"); }
};

}  // namespace plumb::fast
