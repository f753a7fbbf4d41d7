// A step whose client is on this rank, while it runs.
#pragma once

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "mpi/worker/step_table.h"
#include "spec/session/session.h"

namespace plumb::dist {

class OwnStep {
 public:
  // `ranks` have the other parts.
  OwnStep(std::shared_ptr<Step> step, std::shared_ptr<fast::StepParts> parts, std::vector<int> ranks)
      : step_(std::move(step)),
        parts_(std::move(parts)),
        ranks_(std::move(ranks)),
        running_(ranks_.begin(), ranks_.end()) {
    for (size_t i = 0; i < ranks_.size(); ++i) parts_->Begin();
  }

  int64_t number() const { return step_->name.number; }
  const std::vector<int>& ranks() const { return ranks_; }
  StepRendezvous& rendezvous() const { return *step_->rendezvous; }
  const std::shared_ptr<StepRendezvous>& shared_rendezvous() const { return step_->rendezvous; }
  const std::shared_ptr<fast::StepParts>& parts() const { return parts_; }

  // What ran in the part of this rank, by its own clock. Before its End.
  void Trace(int rank, RunMetadata traced) {
    MutexLock lock(mutex_);
    if (running_.contains(rank)) traces_.emplace_back(rank, std::move(traced));
  }
  // When all parts have ended.
  std::vector<std::pair<int, RunMetadata>> TakeTraces() {
    MutexLock lock(mutex_);
    return std::exchange(traces_, {});
  }

  // The part of this rank is over; the first to say so counts.
  void End(int rank, const Status& status) {
    {
      MutexLock lock(mutex_);
      if (running_.erase(rank) == 0) return;
    }
    parts_->End(status);
  }

 private:
  const std::shared_ptr<Step> step_;
  const std::shared_ptr<fast::StepParts> parts_;
  const std::vector<int> ranks_;
  Mutex mutex_;
  std::set<int> running_ PLUMB_GUARDED_BY(mutex_);
  std::vector<std::pair<int, RunMetadata>> traces_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::dist
