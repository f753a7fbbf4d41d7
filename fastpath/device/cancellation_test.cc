#include "fastpath/device/cancellation.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>

namespace plumb::fast {
namespace {

TEST(Cancellation, CallsEachCallbackOnce) {
  Cancellation cancellation;
  int first = 0, second = 0;
  EXPECT_NE(cancellation.Register([&] { ++first; }), 0);
  const int64_t id = cancellation.Register([&] { ++second; });
  cancellation.Deregister(id);
  cancellation.Cancel();
  cancellation.Cancel();
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 0);
}

TEST(Cancellation, TakesNoCallbackWhenStoppedUntilTheNextStep) {
  Cancellation cancellation;
  cancellation.Cancel();
  int calls = 0;
  EXPECT_EQ(cancellation.Register([&] { ++calls; }), 0);
  cancellation.Reset();
  EXPECT_NE(cancellation.Register([&] { ++calls; }), 0);
  cancellation.Cancel();
  EXPECT_EQ(calls, 1);
}

TEST(Cancellation, LetsACallbackDeregisterItself) {
  Cancellation cancellation;
  int64_t id = 0;
  int calls = 0;
  id = cancellation.Register([&] {
    ++calls;
    cancellation.Deregister(id);
  });
  cancellation.Cancel();
  EXPECT_EQ(calls, 1);
}

// Ids are those of one object: a callback of one step is not taken for a callback of another.
TEST(Cancellation, WaitsForARunningCallbackOfAnotherStep) {
  Cancellation ours, theirs;
  std::latch their_callback_runs(1);
  std::atomic<bool> may_end = false, ended = false, ended_in_time = false;
  const int64_t their_id = theirs.Register([&] {
    their_callback_runs.count_down();
    while (!may_end) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ended = true;
  });
  const int64_t our_id = ours.Register([&] {
    may_end = true;
    theirs.Deregister(their_id);
    ended_in_time = ended.load();
  });
  EXPECT_EQ(our_id, their_id) << "the case that this test is about";
  std::thread other([&] { theirs.Cancel(); });
  their_callback_runs.wait();
  ours.Cancel();
  EXPECT_TRUE(ended_in_time);
  other.join();
}

// A callback that stops another step is still known as running when that is done.
TEST(Cancellation, LetsACallbackStopAnotherStepAndThenDeregisterItself) {
  Cancellation outer, inner;
  int calls = 0;
  inner.Register([&] { ++calls; });
  int64_t id = 0;
  id = outer.Register([&] {
    inner.Cancel();
    outer.Deregister(id);
    ++calls;
  });
  outer.Cancel();
  EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace plumb::fast
