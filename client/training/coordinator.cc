#include "client/training/coordinator.h"

#include <utility>

namespace plumb {

Coordinator::~Coordinator() {
  RequestStop();
  (void)Join();  // who wants to know why they stopped has joined before
}

void Coordinator::Start(std::function<void()> body) {
  MutexLock lock(mutex_);
  threads_.emplace_back(std::move(body));
}

void Coordinator::OnStop(std::function<void()> wake) {
  {
    MutexLock lock(mutex_);
    if (!stopped_) {
      wakes_.push_back(std::move(wake));
      return;
    }
  }
  wake();
}

void Coordinator::RequestStop(const Status& reason) {
  std::vector<std::function<void()>> wakes;
  {
    MutexLock lock(mutex_);
    if (stopped_) return;
    stopped_ = true;
    if (reason.code() != Code::kOutOfRange) reason_ = reason;
    wakes.swap(wakes_);
  }
  stops_.NotifyAll();
  for (const auto& wake : wakes) wake();
}

bool Coordinator::should_stop() const {
  MutexLock lock(mutex_);
  return stopped_;
}

void Coordinator::WaitForStop() const {
  MutexLock lock(mutex_);
  while (!stopped_) stops_.Wait(mutex_);
}

Status Coordinator::Join() {
  WaitForStop();
  for (;;) {
    std::vector<std::thread> threads;
    {
      MutexLock lock(mutex_);
      if (threads_.empty()) return reason_;
      threads.swap(threads_);
    }
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace plumb
