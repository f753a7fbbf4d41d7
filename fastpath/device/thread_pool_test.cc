#include "fastpath/device/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "spec/core/status.h"

namespace plumb::fast {
namespace {

using Chunks = std::set<std::pair<int64_t, int64_t>>;

Chunks ChunksOf(ThreadPool& pool, int64_t n, int64_t grain) {
  std::mutex mutex;
  Chunks chunks;
  pool.ParallelFor(n, grain, [&](int64_t begin, int64_t end) {
    std::lock_guard lock(mutex);
    EXPECT_TRUE(chunks.emplace(begin, end).second);
  });
  return chunks;
}

TEST(ThreadPool, SplitsByShapeOnly) {
  ThreadPool one(1), four(4);
  for (const int64_t n : {0, 1, 10, 1000, 123457}) {
    for (const int64_t grain : {1, 7, 100000}) {
      const Chunks chunks = ChunksOf(one, n, grain);
      EXPECT_EQ(chunks, ChunksOf(four, n, grain));
      int64_t at = 0;
      for (const auto& [begin, end] : chunks) {
        EXPECT_EQ(begin, at);
        at = end;
      }
      EXPECT_EQ(at, n);
    }
  }
}

// So that claiming them stays cheap.
TEST(ThreadPool, SplitsIntoNoMoreThanSoManyChunks) {
  constexpr int64_t kMost = 256;
  ThreadPool pool(1);
  EXPECT_EQ(ChunksOf(pool, kMost, 1).size(), static_cast<size_t>(kMost));
  EXPECT_EQ(ChunksOf(pool, kMost + 1, 1).size(), static_cast<size_t>(kMost / 2 + 1)) << "of two, but for the last one";
  EXPECT_EQ(ChunksOf(pool, kMost * 1000, 1).size(), static_cast<size_t>(kMost));
}

TEST(ThreadPool, RunsNestedLoopsToTheirEnd) {
  ThreadPool pool(3);
  std::atomic<int64_t> sum{0};
  pool.ParallelFor(20, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      pool.ParallelFor(50, 1, [&](int64_t b, int64_t e) { sum += e - b; });
    }
  });
  EXPECT_EQ(sum, 20 * 50);
}

// The error is that of the first chunk that fails, whichever thread ran it.
TEST(ThreadPool, ThrowsTheFirstChunksError) {
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    try {
      pool.ParallelFor(100, 1, [](int64_t begin, int64_t) {
        if (begin % 10 == 7) throw InvalidArgument("chunk ", begin);
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "chunk 7");
    }
  }
}

TEST(ThreadPool, RunsScheduledTasks) {
  ThreadPool pool(2);
  std::atomic<int> count{0};
  for (int i = 0; i < 100; ++i) {
    pool.Schedule([&] {
      ++count;
      pool.WakeAll();
    });
  }
  pool.HelpUntil([&] { return count == 100; });
  EXPECT_EQ(count, 100);
}

TEST(ThreadPool, WithOneThreadTheCallerRunsTheTasks) {
  ThreadPool pool(1);
  int count = 0;
  pool.Schedule([&] { ++count; });
  EXPECT_TRUE(pool.RunOne());
  EXPECT_FALSE(pool.RunOne());
  EXPECT_EQ(count, 1);
  EXPECT_FALSE(pool.HasIdleThread());
}

TEST(ThreadPool, WhatAThreadSchedulesForItselfRunsWhereItWaits) {
  ThreadPool pool(2);
  std::thread::id ran_on;
  pool.ScheduleHere([&] { ran_on = std::this_thread::get_id(); });
  pool.HelpUntil([&] { return ran_on != std::thread::id(); });
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TEST(ThreadPool, HasNoIdleThreadWhileAsManyAreAtWorkAsItHas) {
  ThreadPool pool(2);
  EXPECT_TRUE(pool.HasIdleThread());
  const ThreadPool::AtWork here(pool);
  const ThreadPool::AtWork here_again(pool);
  EXPECT_TRUE(pool.HasIdleThread()) << "a thread counts once";
  std::thread([&] {
    const ThreadPool::AtWork there(pool);
    EXPECT_FALSE(pool.HasIdleThread());
    ThreadPool other(2);
    const ThreadPool::AtWork elsewhere(other);
    EXPECT_TRUE(other.HasIdleThread()) << "each pool counts its own";
  }).join();
  EXPECT_TRUE(pool.HasIdleThread());
}

// The second chunk is run by the pool's thread, which slept when the loop began and is told of it by who leaves.
TEST(ThreadPool, WhoLeavesWorkWakesAThreadForTheLoopsThatAreLeft) {
  for (int round = 0; round < 20; ++round) {
    ThreadPool pool(2);
    const ThreadPool::AtWork here(pool);
    std::atomic<bool> is_there{false}, begun{false};
    std::thread other([&] {
      const ThreadPool::AtWork there(pool);
      is_there = true;
      is_there.notify_one();
      begun.wait(false);
    });
    is_there.wait(false);
    pool.Schedule([] {});  // starts the pool's thread
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::atomic<int> chunks{0};
    pool.ParallelFor(2, 1, [&](int64_t, int64_t) {
      begun = true;
      begun.notify_one();
      ++chunks;
      chunks.notify_all();
      for (int seen = chunks; seen < 2; seen = chunks) chunks.wait(seen);
    });
    other.join();
    EXPECT_EQ(chunks, 2);
  }
}

}  // namespace
}  // namespace plumb::fast
