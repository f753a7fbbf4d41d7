#include "mpi/worker/step_table.h"

#include <algorithm>
#include <limits>

#include "absl/container/inlined_vector.h"

namespace plumb::dist {

std::string Step::Waits() {
  constexpr size_t kListed = 3;
  std::shared_ptr<fast::StepParts> begun;
  {
    MutexLock lock(mutex_);
    begun = parts_;
  }
  if (begun == nullptr) return "";
  const std::vector<std::string> waits = begun->Waits();
  if (waits.empty()) return "";
  std::string text = name.ToString();
  for (size_t i = 0; i < std::min(waits.size(), kListed); ++i) text += Str(i == 0 ? ": " : "; ", waits[i]);
  if (waits.size() > kListed) text += Str("; and ", waits.size() - kListed, " more wait");
  return text;
}

// What is asked before the part fails: afterwards nobody waits.
void Step::Stop(const Status& status) {
  std::shared_ptr<fast::StepParts> begun;
  {
    MutexLock lock(mutex_);
    if (parts_ == nullptr) stopped_ = status;
    begun = parts_;
  }
  rendezvous->KnowFailure();
  if (begun == nullptr) return;
  if (status.code() == Code::kDeadlineExceeded) {
    std::vector<std::string> waits = begun->Waits();
    MutexLock lock(mutex_);
    waits_ = std::move(waits);
  }
  begun->Fail(status);
}

std::shared_ptr<Step> StepTable::Get(StepName name) {
  Require(name.master >= 0 && name.master < ranks_, "a message is about a step of rank ", name.master,
          ", which is not there");
  MutexLock lock(mutex_);
  const auto found = steps_.find(name);
  if (found != steps_.end()) return found->second;
  if (name.master == own_ || name.number < oldest_[name.master]) return nullptr;
  return steps_.emplace(name, make_(name)).first->second;
}

bool StepTable::IsNew(StepName name) {
  MutexLock lock(mutex_);
  const bool is_of_another = name.master >= 0 && name.master < ranks_ && name.master != own_;
  return is_of_another && name.number >= oldest_[name.master] && !steps_.contains(name);
}

std::shared_ptr<Step> StepTable::Find(StepName name) {
  MutexLock lock(mutex_);
  const auto found = steps_.find(name);
  return found == steps_.end() ? nullptr : found->second;
}

std::shared_ptr<Step> StepTable::AddOwn() {
  MutexLock lock(mutex_);
  const StepName name{own_, ++made_};
  return steps_.emplace(name, make_(name)).first->second;
}

void StepTable::RemoveOwn(int64_t number) {
  std::shared_ptr<Step> removed;  // destroyed after the lock is released
  MutexLock lock(mutex_);
  const auto found = steps_.find({own_, number});
  if (found == steps_.end()) return;
  removed = std::move(found->second);
  steps_.erase(found);
}

int64_t StepTable::OldestOwn(int64_t number) {
  MutexLock lock(mutex_);
  const auto first = steps_.lower_bound({own_, std::numeric_limits<int64_t>::min()});
  return first == steps_.end() || first->first.master != own_ ? number : std::min(number, first->first.number);
}

void StepTable::ForgetBefore(int master, int64_t number) {
  absl::InlinedVector<std::shared_ptr<Step>, 4> forgotten;  // destroyed after the lock is released
  MutexLock lock(mutex_);
  oldest_[master] = std::max(oldest_[master], number);
  auto at = steps_.lower_bound({master, std::numeric_limits<int64_t>::min()});
  while (at != steps_.end() && at->first < StepName{master, number}) {
    forgotten.push_back(std::move(at->second));
    at = steps_.erase(at);
  }
}

void StepTable::Forget(StepName name) {
  std::shared_ptr<Step> forgotten;  // destroyed after the lock is released
  MutexLock lock(mutex_);
  const auto found = steps_.find(name);
  if (name.master == own_ || found == steps_.end()) return;
  forgotten = std::move(found->second);
  steps_.erase(found);
}

std::vector<std::shared_ptr<Step>> StepTable::Of(int master) {
  std::vector<std::shared_ptr<Step>> steps;
  MutexLock lock(mutex_);
  for (auto at = steps_.lower_bound({master, std::numeric_limits<int64_t>::min()});
       at != steps_.end() && at->first.master == master; ++at) {
    steps.push_back(at->second);
  }
  return steps;
}

}  // namespace plumb::dist
