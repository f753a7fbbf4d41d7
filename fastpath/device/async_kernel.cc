#include "fastpath/device/async_kernel.h"

#include <utility>

namespace plumb::fast {
namespace {

class FunctionWaiter final : public Waiter {
 public:
  FunctionWaiter(WaitText text, std::function<void()> stop) : text_(std::move(text)), stop_(std::move(stop)) {}
  std::string Text() override { return text_(); }
  void Stop() override { stop_(); }

 private:
  const WaitText text_;
  const std::function<void()> stop_;
};

}  // namespace

void AsyncContext::SetDead(int output) {
  dead_outputs_.resize(static_cast<size_t>(num_outputs()));
  dead_outputs_[output] = true;
}

// Whoever stops the step looks for the waiter after that: it is found, or this sees the stop. An answer that comes at
// once waits for the lock.
bool AsyncContext::Park(std::shared_ptr<Waiter> waiter) {
  MutexLock lock(mutex_);
  if (cancelled()) return false;
  waiter_ = std::move(waiter);
  return true;
}

bool AsyncContext::Park(WaitText waits_for, std::function<void()> stop) {
  return Park(std::make_shared<FunctionWaiter>(std::move(waits_for), std::move(stop)));
}

bool AsyncContext::ParkAround(WaitList waits_inside, std::function<void()> stop) {
  const auto inside = [] { return std::string("what it runs"); };
  auto waiter = std::make_shared<FunctionWaiter>(inside, std::move(stop));
  {
    MutexLock lock(mutex_);
    waits_inside_ = std::move(waits_inside);
  }
  return Park(std::move(waiter));
}

void AsyncContext::Unpark() {
  std::shared_ptr<Waiter> taken_back;  // destroyed after the lock is released
  MutexLock lock(mutex_);
  taken_back.swap(waiter_);
}

std::shared_ptr<Waiter> AsyncContext::waiter() {
  MutexLock lock(mutex_);
  return waiter_;
}

WaitList AsyncContext::waits_inside() {
  MutexLock lock(mutex_);
  return waits_inside_;
}

}  // namespace plumb::fast
