// Calls that come when their time has come, for kernels that wait no longer than that.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace plumb::fast::cpu {

// Rings once, on the one thread of the process that makes such calls, unless it is destroyed before. A call that has
// begun may outlast its alarm.
class Alarm {
 public:
  using Time = std::chrono::steady_clock::time_point;
  Alarm() = default;
  Alarm(Time at, std::function<void()> ring);
  Alarm(Alarm&& other) noexcept : at_(other.at_), id_(std::exchange(other.id_, 0)) {}
  Alarm& operator=(Alarm&& other) noexcept {
    std::swap(at_, other.at_);
    std::swap(id_, other.id_);
    return *this;
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  ~Alarm();

 private:
  Time at_;
  int64_t id_ = 0;  // 0: not set
};

// As long from now; at once for a negative number, and never later than in a year.
Alarm::Time InMicroseconds(int64_t microseconds);

}  // namespace plumb::fast::cpu
