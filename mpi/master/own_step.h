// A step whose client is on this rank, while it runs.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mpi/worker/step_table.h"
#include "spec/session/session.h"

namespace plumb::dist {

class OwnStep {
 public:
  // `ranks` have the other parts.
  OwnStep(std::shared_ptr<Step> step, std::shared_ptr<fast::StepParts> parts, std::vector<int> ranks)
      : step_(std::move(step)), parts_(std::move(parts)), ranks_(std::move(ranks)), runs_(ranks_.size(), true) {
    for (size_t i = 0; i < ranks_.size(); ++i) parts_->Begin();
  }

  int64_t number() const { return step_->name.number; }
  const std::vector<int>& ranks() const { return ranks_; }
  StepRendezvous& rendezvous() const { return *step_->rendezvous; }
  const std::shared_ptr<StepRendezvous>& shared_rendezvous() const { return step_->rendezvous; }
  const std::shared_ptr<fast::StepParts>& parts() const { return parts_; }
  // Which step it is, and what of it waits here for what.
  std::string Waits() const {
    const std::string waits = step_->Waits();
    return waits.empty() ? Str(step_->name.ToString(), " computes") : waits;
  }

  // What ran in the part of this rank, by its own clock. Before its End.
  void Trace(int rank, RunMetadata traced) {
    MutexLock lock(mutex_);
    if (const auto place = PlaceOf(rank); place < ranks_.size() && runs_[place]) {
      traces_.emplace_back(rank, std::move(traced));
    }
  }
  // When all parts have ended.
  std::vector<std::pair<int, RunMetadata>> TakeTraces() {
    MutexLock lock(mutex_);
    return std::exchange(traces_, {});
  }

  // What waited in the part of this rank when the step's time was up. Before its End.
  void Waited(int rank, std::vector<std::string> waits) {
    if (waits.empty()) return;
    MutexLock lock(mutex_);
    if (const auto place = PlaceOf(rank); place < ranks_.size() && runs_[place]) waited_[rank] = std::move(waits);
  }
  // When all parts have ended: the status, with what waited elsewhere (S4).
  Status WithWaits(const Status& status) const;

  // The part of this rank is over; the first to say so counts.
  void End(int rank, const Status& status) {
    {
      MutexLock lock(mutex_);
      const size_t place = PlaceOf(rank);
      if (place == ranks_.size() || !runs_[place]) return;
      runs_[place] = false;
    }
    parts_->End(status);
  }

 private:
  // Where the rank is listed; behind all where it is not.
  size_t PlaceOf(int rank) const {
    return static_cast<size_t>(std::find(ranks_.begin(), ranks_.end(), rank) - ranks_.begin());
  }

  const std::shared_ptr<Step> step_;
  const std::shared_ptr<fast::StepParts> parts_;
  const std::vector<int> ranks_;
  mutable Mutex mutex_;
  std::vector<bool> runs_ PLUMB_GUARDED_BY(mutex_);  // as they are listed
  std::vector<std::pair<int, RunMetadata>> traces_ PLUMB_GUARDED_BY(mutex_);
  std::map<int, std::vector<std::string>> waited_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::dist
