#include "fastpath/cpu/lib/state/alarm.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace plumb::fast::cpu {
namespace {

// Keeps the thread that rings busy, so that alarms can be set which all ring after it.
class Gate {
 public:
  Gate() : alarm_(InMicroseconds(0), [opened = opened_.get_future().share()] { opened.wait(); }) {}
  ~Gate() { opened_.set_value(); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

 private:
  std::promise<void> opened_;
  Alarm alarm_;
};

TEST(Alarm, RingsInTheOrderOfTimes) {
  std::vector<int> rung;
  std::promise<void> done;
  std::vector<Alarm> alarms;
  {
    const Gate gate;
    const Alarm::Time now = InMicroseconds(0);
    alarms.emplace_back(now + std::chrono::milliseconds(2), [&] {
      rung.push_back(2);
      done.set_value();
    });
    alarms.emplace_back(now + std::chrono::milliseconds(1), [&] { rung.push_back(1); });
  }
  done.get_future().wait();
  EXPECT_EQ(rung, (std::vector<int>{1, 2}));
}

TEST(Alarm, IsSilentWhenItIsGone) {
  std::promise<void> later;
  bool rung = false;
  std::vector<Alarm> alarms;
  {
    const Gate gate;
    alarms.emplace_back(InMicroseconds(1), [&] { rung = true; });
    alarms.emplace_back(InMicroseconds(2), [&] { later.set_value(); });
    alarms[0] = Alarm();
  }
  later.get_future().wait();
  EXPECT_FALSE(rung);
}

TEST(Alarm, TakesAnyTime) {
  std::promise<void> done;
  const Alarm far(InMicroseconds(INT64_MAX), [] { FAIL(); });
  const Alarm past(InMicroseconds(INT64_MIN), [&] { done.set_value(); });
  done.get_future().wait();
}

}  // namespace
}  // namespace plumb::fast::cpu
