// When a training program saves: after every so many steps, or whenever so much time has passed since it last did.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace plumb {

// One of the two.
struct SaveInterval {
  int64_t steps = 0;
  double seconds = 0;

  // "100" steps; "30s", "5m" or "1.5h". Throws kInvalidArgument for another text, and for nothing or less.
  static SaveInterval Parse(std::string_view text);
  bool IsOfTime() const { return seconds > 0; }
};

// Threads may share one.
class CheckpointTimer {
 public:
  // `now`: seconds since whenever, a clock that never goes back; that of the machine where it is not given. Counts time
  // from here on.
  explicit CheckpointTimer(SaveInterval interval, std::function<double()> now = {});

  // Whether to save after `step`, of a program that looked last after step `before`. By steps it is due where a
  // multiple of the interval lies between, so that a run that was stopped and goes on saves where it would have.
  bool IsDue(int64_t before, int64_t step) const;
  // A checkpoint has been written.
  void Saved() { last_ = now_(); }

  const SaveInterval& interval() const { return interval_; }

 private:
  const SaveInterval interval_;
  const std::function<double()> now_;
  std::atomic<double> last_;
};

}  // namespace plumb
