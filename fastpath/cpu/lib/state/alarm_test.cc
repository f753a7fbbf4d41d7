#include "fastpath/cpu/lib/state/alarm.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>
#include <utility>
#include <vector>

namespace plumb::fast::cpu {
namespace {

// Keeps the thread that rings busy, so that alarms can be set which all ring after it.
class Gate {
 public:
  Gate() : alarm_(std::chrono::microseconds(0), [opened = opened_.get_future().share()] { opened.wait(); }) {}
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
    alarms.emplace_back(std::chrono::milliseconds(2), [&] {
      rung.push_back(2);
      done.set_value();
    });
    alarms.emplace_back(std::chrono::milliseconds(1), [&] { rung.push_back(1); });
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
    alarms.emplace_back(std::chrono::microseconds(1), [&] { rung = true; });
    alarms.emplace_back(std::chrono::microseconds(2), [&] { later.set_value(); });
    alarms[0] = Alarm();
  }
  later.get_future().wait();
  EXPECT_FALSE(rung);
}

TEST(Alarm, TakesAnyTime) {
  std::promise<void> done;
  const Alarm far(std::chrono::microseconds::max(), [] { FAIL(); });
  const Alarm past(std::chrono::microseconds::min(), [&] { done.set_value(); });
  done.get_future().wait();
}

// What rings in another time does so when that says so, unless it is gone; all others go by the clock.
TEST(Alarm, MayBeKeptInAnotherTime) {
  static std::vector<std::pair<std::chrono::nanoseconds, std::function<void()>>> kept;
  static bool lives_there = true;
  Alarm::OfferTo([](std::chrono::nanoseconds time, std::function<void()> ring) {
    if (lives_there) kept.emplace_back(time, std::move(ring));
    return lives_there;
  });
  int rung = 0;
  {
    const Alarm first(std::chrono::microseconds(5), [&] { ++rung; });
    ASSERT_EQ(kept.size(), 1u);
    EXPECT_EQ(kept[0].first, std::chrono::microseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(rung, 0);
    kept[0].second();
    EXPECT_EQ(rung, 1);
  }
  kept[0].second();
  EXPECT_EQ(rung, 1) << "it is gone";
  lives_there = false;
  std::promise<void> done;
  const Alarm second(std::chrono::microseconds(5), [&] { done.set_value(); });
  done.get_future().wait();
  EXPECT_EQ(kept.size(), 1u);
  Alarm::OfferTo(nullptr);
}

}  // namespace
}  // namespace plumb::fast::cpu
