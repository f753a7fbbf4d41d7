// The parts of one step that lies on several devices: what stops one stops all, and somebody may ask what they wait
// for.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "fastpath/device/cancellation.h"
#include "fastpath/device/rendezvous.h"
#include "fastpath/device/resources.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

class RunState;

// Fetches what others send while a thread waits for it.
class Lookout {
 public:
  virtual ~Lookout() = default;
  // Returns when that holds, or before, when there is nothing to be done here.
  virtual void Until(const std::function<bool()>& holds) = 0;
};

class StepParts {
 public:
  // The parts of this process, which find what any of them made by its name. `outer_resources`: of the step that they
  // are a step inside of; null: they have their own (rule R6).
  StepParts(size_t count, ThreadPool& pool, ResourceManager* outer_resources = nullptr)
      : pool_(pool),
        rendezvous_(std::make_shared<LocalRendezvous>(static_cast<int64_t>(count))),
        step_resources_(outer_resources == nullptr ? &own_resources_ : outer_resources) {}
  // Those of several processes: each part has resources of its own.
  StepParts(std::shared_ptr<LocalRendezvous> rendezvous, ThreadPool& pool)
      : pool_(pool), rendezvous_(std::move(rendezvous)) {}

  const std::shared_ptr<LocalRendezvous>& rendezvous() const { return rendezvous_; }
  // Null: each part has its own.
  ResourceManager* step_resources() { return step_resources_; }
  // Cancelled when the others are to stop.
  Cancellation& cancellation() { return cancellation_; }

  // Parts that nobody waits in: they begin before they are run, and end when that is over.
  void Begin() { running_.fetch_add(1, std::memory_order_relaxed); }
  void End(const Status& status);
  // The first failure stops the others, and is the step's.
  void Fail(const Status& status);
  // The outcome of the step, when all parts have ended. `lookout`: null where the parts need none.
  Status Await(const Status& own, Lookout* lookout = nullptr);

  // As far as it is known by now.
  Status outcome();

  // A part that can be asked, until it is taken back.
  void Add(RunState& part);
  void Remove(RunState& part);
  // Who waits for what: part by part in the order of their devices, in each by the order of the plan.
  std::vector<std::string> Waits();

 private:
  ThreadPool& pool_;
  const std::shared_ptr<LocalRendezvous> rendezvous_;
  ResourceManager own_resources_;
  ResourceManager* const step_resources_ = nullptr;
  Cancellation cancellation_;
  std::atomic<int> running_{0};
  Mutex mutex_;
  Status failed_ PLUMB_GUARDED_BY(mutex_);
  Mutex parts_mutex_;
  absl::InlinedVector<RunState*, 2> parts_ PLUMB_GUARDED_BY(parts_mutex_);
};

}  // namespace plumb::fast
