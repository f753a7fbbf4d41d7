// Tasks that a thread keeps: who runs them, and when others are told of them.
#include "fastpath/device/kept_tasks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace plumb::fast {
namespace {

// Returns soon after that holds; false where nobody makes it hold.
template <class Holds>
bool ComesToHold(const Holds& holds) {
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > latest) return false;
    std::this_thread::yield();
  }
  return true;
}

// Long enough for a thread that was told to come.
void Wait() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

TEST(KeptTasks, AreRunByWhoKeepsThem) {
  ThreadPool pool(3);
  std::thread::id ran_on;
  KeptTasks tasks(pool);
  EXPECT_FALSE(tasks.RunOne());
  pool.Schedule([&] { ran_on = std::this_thread::get_id(); });
  pool.WakeAll();  // as the end of a step does, for those who wait for it
  Wait();
  EXPECT_EQ(ran_on, std::thread::id());
  EXPECT_TRUE(tasks.RunOne());
  EXPECT_EQ(ran_on, std::this_thread::get_id());
  EXPECT_FALSE(tasks.RunOne());
}

TEST(KeptTasks, AreForOthersBehindTheOneThatRuns) {
  ThreadPool pool(2);
  std::atomic<bool> has_second_run{false};
  KeptTasks tasks(pool);
  bool did_other_come = false;
  pool.Schedule([&] { did_other_come = ComesToHold([&] { return has_second_run.load(); }); });
  pool.Schedule([&] { has_second_run = true; });
  EXPECT_TRUE(tasks.RunOne());
  EXPECT_TRUE(did_other_come);
}

TEST(KeptTasks, WhatATaskSchedulesIsForOthersWhileItRuns) {
  ThreadPool pool(2);
  std::atomic<bool> has_inner_run{false};
  KeptTasks tasks(pool);
  bool did_other_come = false;
  pool.Schedule([&] {
    pool.Schedule([&] { has_inner_run = true; });
    did_other_come = ComesToHold([&] { return has_inner_run.load(); });
  });
  EXPECT_TRUE(tasks.RunOne());
  EXPECT_TRUE(did_other_come);
}

TEST(KeptTasks, AreForOthersWhenTheirKeeperLeaves) {
  ThreadPool pool(2);
  std::atomic<bool> has_run{false};
  {
    const KeptTasks tasks(pool);
    pool.Schedule([&] { has_run = true; });
  }
  EXPECT_TRUE(ComesToHold([&] { return has_run.load(); }));
}

TEST(KeptTasks, OfAnotherPoolAreNotKept) {
  ThreadPool pool(2), other(2);
  std::atomic<bool> has_run{false};
  const KeptTasks tasks(pool);
  other.Schedule([&] { has_run = true; });
  EXPECT_TRUE(ComesToHold([&] { return has_run.load(); }));
}

}  // namespace
}  // namespace plumb::fast
