#include "fastpath/gpu/runtime/watcher.h"

#include <chrono>
#include <utility>

#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::GPU_NAMESPACE {
namespace {

using Clock = std::chrono::steady_clock;

// For an event whose work is under way: a training step of a small model is over by then.
constexpr std::chrono::microseconds kLooksAtWork{1000};
// For something to do: the next copy of a step, or of the next one.
constexpr std::chrono::microseconds kLooksForWork{50};

// Looks until `holds`, for that long; others get the core where they are waiting for one.
template <class Holds>
bool LookUntil(std::chrono::microseconds time, const Holds& holds) {
  const Clock::time_point end = Clock::now() + time;
  for (;;) {
    if (holds()) return true;
    if (Clock::now() >= end) return false;
    std::this_thread::yield();
  }
}

Status AwaitEvent(const CudaEvent& event) {
  cudaError_t error = cudaErrorNotReady;
  const auto is_over = [&] {
    error = event.Query();
    return error != cudaErrorNotReady;
  };
  if (!LookUntil(kLooksAtWork, is_over)) error = cudaEventSynchronize(event.handle());
  return StatusOf(error, "the work on a GPU");
}

}  // namespace

Watcher::~Watcher() {
  {
    MutexLock lock(mutex_);
    stop_ = true;
    news_.fetch_add(1, std::memory_order_release);
    changed_.NotifyAll();
  }
  if (thread_.joinable()) thread_.join();
}

void Watcher::Await(std::shared_ptr<CudaEvent> event, Callback callback) {
  MutexLock lock(mutex_);
  waits_.push_back({std::move(event), std::move(callback)});
  if (!thread_.joinable()) thread_ = std::thread([this] { ThreadMain(); });
  news_.fetch_add(1, std::memory_order_release);
  if (is_asleep_) changed_.NotifyAll();
}

Watcher::Wait Watcher::Next() {
  MutexLock lock(mutex_);
  if (waits_.empty() && !stop_) {
    const int64_t seen = news_.load(std::memory_order_relaxed);
    MutexUnlock unlocked(mutex_);
    LookUntil(kLooksForWork, [&] { return news_.load(std::memory_order_acquire) != seen; });
  }
  is_asleep_ = true;
  while (waits_.empty() && !stop_) changed_.Wait(mutex_);
  is_asleep_ = false;
  if (waits_.empty()) return {};
  Wait next = std::move(waits_.front());
  waits_.pop_front();
  return next;
}

void Watcher::ThreadMain() {
  static_cast<void>(cudaSetDevice(device_));  // if it cannot be chosen, the waits below say so
  for (Wait wait = Next(); wait.event != nullptr; wait = Next()) {
    const Status status = AwaitEvent(*wait.event);
    wait.event.reset();
    wait.callback(status);
  }
}

}  // namespace plumb::fast::GPU_NAMESPACE
