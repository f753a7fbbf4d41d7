#include "fastpath/device/async_kernel.h"

#include <utility>

namespace plumb::fast {

void AsyncContext::SetDead(int output) {
  dead_outputs_.resize(static_cast<size_t>(num_outputs()));
  dead_outputs_[output] = true;
}

bool AsyncContext::Park(WaitText waits_for, std::function<void()> stop) {
  // A stop that comes at once, and answers, waits in Unpark until the registration is noted.
  MutexLock lock(mutex_);
  waits_for_ = std::move(waits_for);
  return Register(std::move(stop));
}

bool AsyncContext::ParkAround(WaitList waits_inside, std::function<void()> stop) {
  MutexLock lock(mutex_);
  waits_inside_ = std::move(waits_inside);
  return Register(std::move(stop));
}

bool AsyncContext::Register(std::function<void()> stop) {
  if (step().cancellation == nullptr) return true;
  registration_ = step().cancellation->Register(std::move(stop));
  return registration_ != 0;
}

void AsyncContext::Unpark() {
  int64_t registration;
  WaitText taken_back;  // destroyed after the lock is released
  {
    MutexLock lock(mutex_);
    registration = std::exchange(registration_, 0);
    taken_back.swap(waits_for_);
  }
  if (registration != 0) step().cancellation->Deregister(registration);
}

WaitText AsyncContext::waits_for() {
  MutexLock lock(mutex_);
  return waits_for_;
}

WaitList AsyncContext::waits_inside() {
  MutexLock lock(mutex_);
  return waits_inside_;
}

}  // namespace plumb::fast
