// Calls that come when their time has come, for kernels that wait no longer than that.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace plumb::fast::cpu {

// Rings once, on the one thread of the process that makes such calls, unless it is destroyed before. A call that has
// begun may outlast its alarm.
class Alarm {
 public:
  Alarm() = default;
  // Rings when so much time has passed: at once for a negative number, and never later than in a year.
  Alarm(std::chrono::microseconds time, std::function<void()> ring);
  Alarm(Alarm&& other) noexcept
      : at_(other.at_), id_(std::exchange(other.id_, 0)), elsewhere_(std::move(other.elsewhere_)) {}
  Alarm& operator=(Alarm&& other) noexcept {
    std::swap(at_, other.at_);
    std::swap(id_, other.id_);
    std::swap(elsewhere_, other.elsewhere_);
    return *this;
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  ~Alarm();

  // For those who run steps in a time of their own. From now on each alarm is offered to `keep` first, on the thread
  // that sets it: true where that lives in such a time, and then `keep` calls `ring` when that has come. It is the same
  // for the whole process.
  using Keep = bool (*)(std::chrono::nanoseconds time, std::function<void()> ring);
  static void OfferTo(Keep keep);

 private:
  std::chrono::steady_clock::time_point at_;
  int64_t id_ = 0;                                    // 0: not set by the clock
  std::shared_ptr<std::function<void()>> elsewhere_;  // of one that is kept in another time
};

}  // namespace plumb::fast::cpu
