// A stream: a thread that does one thing after the other, sometimes late, rarely failing, as the seed says.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "fastpath/gpu/emulator/device.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::emulated_gpu::emulator {

// Something that happens once.
class Moment {
 public:
  // `time`: of the stream's clock.
  void Happen(int64_t time);
  void Await();
  bool has_happened() const;
  int64_t time() const;  // 0 until it has happened

 private:
  mutable Mutex mutex_;
  CondVar happened_;
  bool has_happened_ PLUMB_GUARDED_BY(mutex_) = false;
  int64_t time_ PLUMB_GUARDED_BY(mutex_) = 0;
};

class Capture;

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  using Work = std::function<Failure()>;

  static std::shared_ptr<Stream> Start(std::shared_ptr<Device> device, uint64_t seed, int failures_per_thousand);
  // Use Start.
  Stream(std::shared_ptr<Device> device, uint64_t seed, int failures_per_thousand);

  const std::shared_ptr<Device>& device() const { return device_; }
  // Whether this code runs on the thread of some stream.
  static bool IsOnThread();

  // While it captures, what is pushed goes there, a wait and a mark nowhere.
  void SetCapture(std::shared_ptr<Capture> capture);
  std::shared_ptr<Capture> capture() const;

  // May be late and may fail; left out when the device has failed.
  void Push(Work work);
  // One piece of work after the other, each as Push would do it, by one launch. `parts` is kept.
  void PushGraph(std::shared_ptr<const std::vector<Work>> parts, Work begin, std::function<void()> end);
  // So many microseconds pass on the stream's clock, besides the one that each piece of work takes: it is a clock of
  // the emulator's own, by which the same work takes the same time. Nothing while the stream captures.
  void PushTime(int64_t microseconds);
  // May be late; left out when the device has failed.
  void PushHostFunction(std::function<void()> function);
  // Left out when the device has failed.
  void PushWait(std::shared_ptr<Moment> moment);
  // Happens when the stream comes so far, whatever came before; it has happened where the thread has ended.
  std::shared_ptr<Moment> Mark();
  bool IsIdle() const;
  // No more will be pushed: the thread ends when it has done the rest.
  void Close();
  void AwaitEnd();

 private:
  enum class Kind { kWork, kTime, kHostFunction, kGraph, kWait, kMark };
  struct Item {
    Kind kind = Kind::kMark;
    Work run;
  };

  // Whether it will be done.
  bool PushItem(Item item);
  void ThreadMain();
  void Do(const Item& item);
  Failure DoWork(const Work& work);
  void MaybeDelay();

  const std::shared_ptr<Device> device_;
  std::mt19937_64 random_;  // of the stream's thread
  const int failures_per_thousand_;
  int64_t clock_ = 0;  // in microseconds; of the stream's thread, and of who finds it idle
  Moment ended_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::deque<Item> items_ PLUMB_GUARDED_BY(mutex_);
  bool is_busy_ PLUMB_GUARDED_BY(mutex_) = false;
  bool has_ended_ PLUMB_GUARDED_BY(mutex_) = false;
  bool is_closed_ PLUMB_GUARDED_BY(mutex_) = false;
  std::shared_ptr<Capture> capture_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::emulated_gpu::emulator
