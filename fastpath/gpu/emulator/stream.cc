#include "fastpath/gpu/emulator/stream.h"

#include <chrono>
#include <thread>
#include <utility>

#include "fastpath/gpu/emulator/capture.h"
#include "fastpath/gpu/emulator/spare_threads.h"

namespace plumb::fast::emulated_gpu::emulator {
namespace {

thread_local bool is_on_stream_thread = false;

}  // namespace

void Moment::Happen(int64_t time) {
  MutexLock lock(mutex_);
  has_happened_ = true;
  time_ = time;
  happened_.NotifyAll();
}

void Moment::Await() {
  MutexLock lock(mutex_);
  while (!has_happened_) happened_.Wait(mutex_);
}

bool Moment::has_happened() const {
  MutexLock lock(mutex_);
  return has_happened_;
}

int64_t Moment::time() const {
  MutexLock lock(mutex_);
  return time_;
}

std::shared_ptr<Stream> Stream::Start(std::shared_ptr<Device> device, uint64_t seed, int failures_per_thousand) {
  auto stream = std::make_shared<Stream>(std::move(device), seed, failures_per_thousand);
  RunOnSpareThread([stream] { stream->ThreadMain(); });
  return stream;
}

Stream::Stream(std::shared_ptr<Device> device, uint64_t seed, int failures_per_thousand)
    : device_(std::move(device)), random_(seed), failures_per_thousand_(failures_per_thousand) {}

bool Stream::IsOnThread() { return is_on_stream_thread; }

void Stream::SetCapture(std::shared_ptr<Capture> capture) {
  MutexLock lock(mutex_);
  capture_ = std::move(capture);
}

std::shared_ptr<Capture> Stream::capture() const {
  MutexLock lock(mutex_);
  return capture_;
}

void Stream::Push(Work work) {
  if (const auto open = capture()) return open->Add(*this, std::move(work));
  PushItem({Kind::kWork, std::move(work)});
}

void Stream::PushGraph(std::shared_ptr<const std::vector<Work>> parts, Work begin, std::function<void()> end) {
  PushItem({Kind::kGraph, [this, parts = std::move(parts), begin = std::move(begin), end = std::move(end)] {
              Failure failure = begin();
              for (const Work& part : *parts) {
                if (failure.error != cudaSuccess) break;
                failure = DoWork(part);
              }
              end();
              return failure;
            }});
}

void Stream::PushTime(int64_t microseconds) {
  if (capture() != nullptr) return;
  PushItem({Kind::kTime, [this, microseconds] {
              clock_ += microseconds;
              return Failure();
            }});
}

void Stream::PushHostFunction(std::function<void()> function) {
  const auto run = [function = std::move(function)] {
    function();
    return Failure();
  };
  if (const auto open = capture()) return open->Add(*this, run);
  PushItem({Kind::kHostFunction, run});
}

void Stream::PushWait(std::shared_ptr<Moment> moment) {
  if (moment->has_happened()) return;
  PushItem({Kind::kWait, [moment = std::move(moment)] {
              moment->Await();
              return Failure();
            }});
}

std::shared_ptr<Moment> Stream::Mark() {
  auto moment = std::make_shared<Moment>();
  const bool will_happen = PushItem({Kind::kMark, [this, moment] {
                                       moment->Happen(clock_);
                                       return Failure();
                                     }});
  if (!will_happen) moment->Happen(0);
  return moment;
}

bool Stream::PushItem(Item item) {
  {
    MutexLock lock(mutex_);
    if (has_ended_) return false;
    if (item.kind == Kind::kMark && items_.empty() && !is_busy_) {  // its thread has nothing to do before it
      item.run();
      return true;
    }
    items_.push_back(std::move(item));
  }
  changed_.NotifyOne();
  return true;
}

bool Stream::IsIdle() const {
  MutexLock lock(mutex_);
  return items_.empty() && !is_busy_;
}

void Stream::Close() {
  MutexLock lock(mutex_);
  is_closed_ = true;
  changed_.NotifyOne();
}

void Stream::AwaitEnd() { ended_.Await(); }

void Stream::ThreadMain() {
  is_on_stream_thread = true;
  for (;;) {
    Item item;
    {
      MutexLock lock(mutex_);
      is_busy_ = false;
      while (items_.empty() && !is_closed_) changed_.Wait(mutex_);
      if (items_.empty()) {
        has_ended_ = true;
        break;
      }
      item = std::move(items_.front());
      items_.pop_front();
      if (item.kind == Kind::kMark) {  // under the lock: who has seen it happen finds the stream idle
        item.run();
        continue;
      }
      is_busy_ = true;
    }
    Do(item);
  }
  ended_.Happen(clock_);
}

void Stream::Do(const Item& item) {
  if (device_->error() != cudaSuccess) return;
  if (item.kind == Kind::kHostFunction) MaybeDelay();
  Failure failure = item.kind == Kind::kWork ? DoWork(item.run) : item.run();
  if (failure.error != cudaSuccess) device_->Fail(std::move(failure));
}

Failure Stream::DoWork(const Work& work) {
  MaybeDelay();
  if (static_cast<int>(random_() % 1000) < failures_per_thousand_) {
    return {cudaErrorLaunchFailure, Status(Code::kUnavailable, "an emulated GPU failed, as it was told to")};
  }
  ++clock_;
  return work();
}

void Stream::MaybeDelay() {
  constexpr int kOneIn = 8, kLongest = 150;
  if (random_() % kOneIn == 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % kLongest));
}

}  // namespace plumb::fast::emulated_gpu::emulator
