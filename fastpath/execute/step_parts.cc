#include "fastpath/execute/step_parts.h"

#include <algorithm>
#include <utility>

#include "fastpath/execute/run_state.h"

namespace plumb::fast {

void StepParts::End(const Status& status) {
  Fail(status);
  ThreadPool& pool = pool_;  // whoever waits may go as soon as the count has fallen
  if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) pool.WakeAll();
}

void StepParts::Fail(const Status& status) {
  if (status.ok()) return;
  {
    MutexLock lock(mutex_);
    if (!failed_.ok()) return;
    failed_ = status;
  }
  rendezvous_->Abort(status);
  cancellation_.Cancel();
}

Status StepParts::Await(const Status& own, Lookout* lookout) {
  Fail(own);
  const auto have_ended = [this] { return running_.load(std::memory_order_acquire) == 0; };
  if (lookout != nullptr && !have_ended()) lookout->Until(have_ended);
  pool_.HelpUntil(have_ended);
  return outcome();
}

Status StepParts::outcome() {
  MutexLock lock(mutex_);
  return failed_;
}

void StepParts::Add(RunState& part) {
  MutexLock lock(parts_mutex_);
  parts_.push_back(&part);
}

void StepParts::Remove(RunState& part) {
  MutexLock lock(parts_mutex_);
  parts_.erase(std::find(parts_.begin(), parts_.end(), &part));
}

std::vector<std::string> StepParts::Waits() {
  std::vector<std::pair<int, std::vector<std::string>>> by_device;
  {
    MutexLock lock(parts_mutex_);
    for (RunState* part : parts_) by_device.emplace_back(part->device(), part->Waits());
  }
  std::sort(by_device.begin(), by_device.end());
  std::vector<std::string> all;
  for (auto& [device, waits] : by_device) {
    all.insert(all.end(), std::make_move_iterator(waits.begin()), std::make_move_iterator(waits.end()));
  }
  return all;
}

}  // namespace plumb::fast
