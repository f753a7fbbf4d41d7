#include "mpi/cluster/cluster.h"

#include <gtest/gtest.h>

#include "spec/core/status.h"

namespace plumb::dist {
namespace {

std::string Refusal(std::string_view text, int ranks) {
  try {
    Cluster::Parse(text, ranks);
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kInvalidArgument);
    return error.status().message();
  }
  return "";
}

TEST(Cluster, RanksAreTasksInOrder) {
  const Cluster cluster = Cluster::Parse("ps=1,worker=3", 4);
  EXPECT_EQ(cluster.task(0), (Task{"ps", 0}));
  EXPECT_EQ(cluster.task(3), (Task{"worker", 2}));
  EXPECT_EQ(cluster.DeviceName(2, 1), "/job:worker/replica:0/task:1/device:CPU:1");
  EXPECT_EQ(cluster.RankOf(DeviceName::Parse("/job:worker/task:2")), 3);
  EXPECT_EQ(cluster.RankOf(DeviceName::Parse("/job:worker/task:3")), std::nullopt);
  EXPECT_EQ(cluster.ToString(), "ps=1,worker=3");
}

TEST(Cluster, WithoutATextEveryRankIsAWorker) {
  EXPECT_EQ(Cluster::Parse("", 2).TaskName(1), "/job:worker/replica:0/task:1");
  EXPECT_EQ(Cluster::Parse("", 3).ToString(), "worker=3");
}

TEST(Cluster, RefusesWhatDoesNotFitTheRanks) {
  EXPECT_NE(Refusal("ps=1,worker=3", 2).find("more tasks than the 2 ranks"), std::string::npos);
  EXPECT_NE(Refusal("ps=1,worker=1", 4).find("mpirun -n 2"), std::string::npos);
  EXPECT_NE(Refusal("ps=1,worker=2147483647", 4).find("more tasks than the 4 ranks"), std::string::npos);
}

TEST(Cluster, RefusesMalformedTexts) {
  for (const char* text : {"ps", "ps=", "=1", "ps=0", "ps=-1", "ps=1,", "ps=1,,worker=1", "ps=x", "ps=1 ", "1=1",
                           "ps=99999999999999999999", "p/s=1"}) {
    EXPECT_NE(Refusal(text, 1).find("a cluster is written as 'ps=1,worker=3'"), std::string::npos) << text;
  }
  EXPECT_NE(Refusal("ps=1,ps=1", 2).find("twice"), std::string::npos);
}

TEST(Cluster, RequestsNameJobsAndTasksThatAreThere) {
  const Cluster cluster = Cluster::Parse("ps=1,worker=3", 4);
  for (const char* good : {"", "/cpu:0", "/job:ps", "/job:worker/task:2", "/task:7"}) {
    EXPECT_NO_THROW(cluster.CheckRequest(DeviceName::Parse(good), "n")) << good;
  }
  EXPECT_THROW(cluster.CheckRequest(DeviceName::Parse("/job:chief"), "n"), Error);
  EXPECT_THROW(cluster.CheckRequest(DeviceName::Parse("/job:ps/task:1"), "n"), Error);
}

}  // namespace
}  // namespace plumb::dist
