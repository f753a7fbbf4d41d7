#include "mpi/collective/merge_lane.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "mpi/collective/members_testing.h"

namespace plumb::dist {
namespace {

// Keeps the only thread of a pool until it goes.
class Kept {
 public:
  explicit Kept(fast::ThreadPool& pool) {
    pool.Schedule([this] {
      begun_.set_value();
      end_.get_future().wait();
      ended_.set_value();
    });
    begun_.get_future().wait();
  }
  ~Kept() {
    end_.set_value();
    ended_.get_future().wait();
  }

 private:
  std::promise<void> begun_, end_, ended_;
};

TEST(MergeLane, WorksWhileThePoolIsKept) {
  fast::ThreadPool pool(2);
  MergeLane lane(pool, /*has_thread=*/true);
  const Kept kept(pool);
  for (int i = 0; i < 3; ++i) {
    std::promise<void> done;
    lane.Schedule([&] { done.set_value(); });
    done.get_future().wait();
  }
}

TEST(MergeLane, LeavesItToThePoolWithoutAThread) {
  fast::ThreadPool pool(1);
  MergeLane lane(pool, /*has_thread=*/false);
  std::thread::id by;
  lane.Schedule([&] { by = std::this_thread::get_id(); });
  EXPECT_TRUE(pool.RunOne());
  EXPECT_EQ(by, std::this_thread::get_id());
}

TEST(MergeLane, LeavesItToThePoolOnceItHasStopped) {
  fast::ThreadPool pool(1);
  MergeLane lane(pool, /*has_thread=*/true);
  lane.Stop();
  bool done = false;
  lane.Schedule([&] { done = true; });
  EXPECT_FALSE(done);
  EXPECT_TRUE(pool.RunOne());
  EXPECT_TRUE(done);
}

TEST(MergeLane, GivesUpWhatItHasNotBegun) {
  fast::ThreadPool pool(1);
  MergeLane lane(pool, /*has_thread=*/true);
  std::promise<void> begun, end;
  std::atomic<bool> is_second_done = false;
  lane.Schedule([&] {
    begun.set_value();
    end.get_future().wait();
  });
  begun.get_future().wait();
  lane.Schedule([&] { is_second_done = true; });
  std::thread stopping([&] { lane.Stop(); });
  while (!pool.RunOne()) lane.Schedule([] {});  // it goes to the pool once Stop has given up what was there
  end.set_value();
  stopping.join();
  EXPECT_FALSE(is_second_done);
}

// A rank whose threads are all busy, its client's too, merges what the other rank waits for.
TEST(RanksCollective, MergesWhileKernelsHaveThePool) {
  TestCluster cluster(2, ServerOptions{"", 2}, nullptr);
  std::promise<void> end;
  const std::shared_future<void> ended = end.get_future().share();
  for (int i = 0; i < 2; ++i) {
    cluster.server(0).pool().Schedule([ended] { ended.wait(); });
  }
  const Tensor x = Random(100'003, 1);
  const auto step_on = [&](int rank) {
    const auto session = cluster.Open(rank);
    EXPECT_EQ(session->Extend(Member("CollectiveReduce", Reduce(2))).ToString(), "OK");
    return Step(*session, x).status.ToString();
  };
  std::thread busy([&] { EXPECT_EQ(step_on(0), "OK"); });
  EXPECT_EQ(step_on(1), "OK");
  end.set_value();
  busy.join();
}

}  // namespace
}  // namespace plumb::dist
