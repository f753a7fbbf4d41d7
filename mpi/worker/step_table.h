// The steps that a rank knows of: its own, and those of other masters that have a part here. Values may come before
// their step begins here, so a step is known from the first word about it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fastpath/execute/step_parts.h"
#include "mpi/worker/step_rendezvous.h"

namespace plumb::dist {

// A step on one rank.
struct Step {
  Step(StepName name, std::shared_ptr<StepRendezvous> rendezvous) : name(name), rendezvous(std::move(rendezvous)) {}

  const StepName name;
  const std::shared_ptr<StepRendezvous> rendezvous;

  // What runs of it here, once it has begun. Not OK: it was stopped before.
  Status Begin(std::shared_ptr<fast::StepParts> parts) {
    MutexLock lock(mutex_);
    parts_ = std::move(parts);
    return stopped_;
  }
  // "step 3 of rank 1: 'token' (QueueDequeueV2) waits for …"; "" where nothing of it waits here.
  std::string Waits();
  // The step has failed elsewhere.
  void Stop(const Status& status);
  // Who waited for what here when the step was stopped because its time was up, once.
  std::vector<std::string> TakeWaits() {
    MutexLock lock(mutex_);
    return std::exchange(waits_, {});
  }

 private:
  Mutex mutex_;
  std::shared_ptr<fast::StepParts> parts_ PLUMB_GUARDED_BY(mutex_);
  Status stopped_ PLUMB_GUARDED_BY(mutex_);
  std::vector<std::string> waits_ PLUMB_GUARDED_BY(mutex_);
};

class StepTable {
 public:
  using Maker = std::function<std::shared_ptr<Step>(StepName)>;
  // `own`: this rank, whose steps are added here and not by what others say of them.
  StepTable(int ranks, int own, Maker make) : make_(std::move(make)), ranks_(ranks), own_(own), oldest_(ranks, 0) {}

  // The step, made if nobody has spoken of it yet; null for one that is over.
  std::shared_ptr<Step> Get(StepName name);
  // Whether nobody has spoken of the step yet, and it is not over.
  bool IsNew(StepName name);
  // Null where it is not known, or not any more.
  std::shared_ptr<Step> Find(StepName name);
  // The next step of this rank, until it is taken back. It has its number when it is here: none that is younger says
  // before that it is over.
  std::shared_ptr<Step> AddOwn();
  void RemoveOwn(int64_t number);
  // Of this rank's steps the oldest that goes on; `number` if there is none before it.
  int64_t OldestOwn(int64_t number);
  // The steps of a master before this number are over.
  void ForgetBefore(int master, int64_t number);
  // A step of another master is over, and older ones may not be.
  void Forget(StepName name);
  std::vector<std::shared_ptr<Step>> Of(int master);

 private:
  const Maker make_;
  const int ranks_;
  const int own_;
  Mutex mutex_;
  std::map<StepName, std::shared_ptr<Step>> steps_ PLUMB_GUARDED_BY(mutex_);
  std::vector<int64_t> oldest_ PLUMB_GUARDED_BY(mutex_);
  int64_t made_ PLUMB_GUARDED_BY(mutex_) = 0;  // of this rank
};

}  // namespace plumb::dist
