#include "mpi/collective/shared_lane.h"

#include <chrono>
#include <iterator>
#include <utility>

namespace plumb::dist {
namespace {

using Clock = std::chrono::steady_clock;

// How long the thread looks whether others have come so far, yielding its core between two looks to one of them that
// may have none, and how long it sleeps between looks after that: little at first. Who sleeps is soon woken also where
// cores are scarce; who yields to a long task waits until that has used up its time.
constexpr std::chrono::microseconds kLook{30};
constexpr std::chrono::microseconds kShortPause{20};
constexpr std::chrono::milliseconds kPatience{3};
constexpr std::chrono::microseconds kPause{100};

}  // namespace

void SharedLane::Add(std::shared_ptr<SharedReduce> member, std::function<void()> done) {
  {
    MutexLock lock(mutex_);
    if (is_stopping_) return;
    added_.push_back({std::move(member), std::move(done)});
    if (has_thread_ && !thread_.joinable()) thread_ = std::thread([this] { Loop(); });
  }
  changed_.NotifyAll();
}

void SharedLane::Stop() {
  std::thread thread;
  {
    MutexLock lock(mutex_);
    is_stopping_ = true;
    thread = std::move(thread_);
  }
  changed_.NotifyAll();
  if (thread.joinable()) thread.join();
  works_.clear();
}

void SharedLane::TakeAdded() {
  works_.insert(works_.end(), std::make_move_iterator(added_.begin()), std::make_move_iterator(added_.end()));
  added_.clear();
}

bool SharedLane::TakeNew() {
  MutexLock lock(mutex_);
  while (works_.empty() && added_.empty() && !is_stopping_) changed_.Wait(mutex_);
  if (is_stopping_) return false;
  TakeAdded();
  return true;
}

bool SharedLane::Advance() {
  if (has_thread_) return false;
  {
    MutexLock lock(mutex_);
    if (is_stopping_) return false;
    TakeAdded();
  }
  return AdvanceAll();
}

bool SharedLane::AdvanceAll() {
  bool any = false;
  for (size_t i = 0; i < works_.size();) {
    SharedReduce& member = *works_[i].member;
    if (!member.is_abandoned() && member.Advance(pool_)) any = true;
    if (!member.is_abandoned() && !member.IsOver()) {
      ++i;
      continue;
    }
    Work over = std::move(works_[i]);
    works_.erase(works_.begin() + static_cast<std::ptrdiff_t>(i));
    if (!over.member->is_abandoned()) over.done();
    any = true;
  }
  return any;
}

void SharedLane::Loop() {
  Clock::time_point last_news = Clock::now();
  while (TakeNew()) {
    const bool any = AdvanceAll();
    const Clock::time_point now = Clock::now();
    if (any) {
      last_news = now;
    } else if (now - last_news < kLook) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(now - last_news < kPatience ? kShortPause : kPause);
    }
  }
}

}  // namespace plumb::dist
