// Traces of steps over several ranks: what ran where, by the clock of the client's rank, and what waited.
#include <gtest/gtest.h>

#include <chrono>
#include <map>

#include "fastpath/execute/trace.h"
#include "fastpath/testing/test_graph.h"
#include "mpi/session/cluster_testing.h"

namespace plumb::dist {
namespace {

constexpr int64_t kHour = 3'600'000'000'000;  // in nanoseconds
constexpr char kFar[] = "/job:worker/task:1";

GraphDef ThereAndBack() {
  fast::TestGraph graph;
  graph.Placeholder("x", DType::kFloat);
  graph.Add("far", "Neg", {"x"}, {{"T", DType::kFloat}}, kFar);
  graph.Add("farther", "Neg", {"far"}, {{"T", DType::kFloat}}, kFar);
  graph.Add("near", "Neg", {"farther"}, {{"T", DType::kFloat}}, "/job:worker/task:0");
  return graph.def();
}

RunMetadata TraceOf(Session& session) {
  RunOptions options;
  options.trace = true;
  options.timeout_ms = 20'000;
  RunMetadata metadata;
  std::vector<Tensor> outputs;
  const std::vector<Feed> feeds = {{"x", MakeScalar(1.0F)}};
  const std::vector<std::string> fetches = {"near"};
  EXPECT_EQ(session.Run(options, feeds, fetches, {}, &outputs, &metadata).ToString(), "OK");
  return metadata;
}

std::map<std::string, NodeStats> NodesOf(const RunMetadata& metadata, const std::string& device) {
  std::map<std::string, NodeStats> nodes;
  for (const DeviceStats& each : metadata.step_stats) {
    if (each.device != device) continue;
    for (const NodeStats& node : each.nodes) nodes[node.node] = node;
  }
  return nodes;
}

TEST(Traces, TellOfAllRanksByOneClock) {
  auto ends = NewLoopback(2);
  std::vector<std::shared_ptr<Server>> servers;
  for (size_t rank = 0; rank < 2; ++rank) {
    ServerOptions options;
    options.threads = 2;
    options.clock_ahead_ns = rank == 1 ? kHour : 0;
    servers.push_back(std::make_shared<Server>(std::move(ends[rank]), options));
  }
  for (const auto& server : servers) server->AwaitOthers();
  {
    const auto session = NewDistributedSession(servers[0], {});
    ASSERT_EQ(session->Extend(ThereAndBack()).ToString(), "OK");
    TraceOf(*session);
    const ClockReading clock = servers[0]->master().ClockOf(1);
    EXPECT_LE(std::abs(clock.ahead_ns - kHour), clock.error_ns);
    const int64_t begin = fast::NowNanoseconds();
    const RunMetadata metadata = TraceOf(*session);
    const int64_t end = fast::NowNanoseconds();
    const auto here = NodesOf(metadata, "/job:worker/replica:0/task:0/device:CPU:0");
    const auto there = NodesOf(metadata, "/job:worker/replica:0/task:1/device:CPU:0");
    ASSERT_TRUE(here.contains("near"));
    ASSERT_TRUE(there.contains("far") && there.contains("farther"));
    for (const auto& [name, node] : there) {
      EXPECT_GE(node.scheduled_ns, begin - clock.error_ns) << name;
      EXPECT_LE(node.end_ns, end + clock.error_ns) << name;
    }
    EXPECT_LE(there.at("far").end_ns, there.at("farther").start_ns);
    EXPECT_LE(there.at("farther").end_ns - clock.error_ns, here.at("near").start_ns);
  }
  std::thread leaving([&] { servers[1].reset(); });
  servers[0].reset();
  leaving.join();
}

// A Recv waits, and takes no time of its own; a kernel that computes does.
TEST(Traces, TellWhatWaited) {
  TestCluster cluster(2, "");
  const auto session = cluster.Open(0);
  ASSERT_EQ(session->Extend(ThereAndBack()).ToString(), "OK");
  const RunMetadata metadata = TraceOf(*session);
  int waits = 0;
  for (const auto& [name, node] : NodesOf(metadata, "/job:worker/replica:0/task:0/device:CPU:0")) {
    if (node.scheduled_ns == node.start_ns) continue;
    ++waits;
    EXPECT_EQ(node.start_ns, node.end_ns) << name;
    EXPECT_EQ(node.op, "_Recv") << name;
  }
  EXPECT_EQ(waits, 1);
}

TEST(Traces, AreMadeOnlyWhereTheyAreAskedFor) {
  TestCluster cluster(2, "");
  const auto session = cluster.Open(0);
  ASSERT_EQ(session->Extend(ThereAndBack()).ToString(), "OK");
  RunMetadata metadata;
  std::vector<Tensor> outputs;
  const std::vector<Feed> feeds = {{"x", MakeScalar(1.0F)}};
  const std::vector<std::string> fetches = {"near"};
  ASSERT_EQ(session->Run(RunOptions(), feeds, fetches, {}, &outputs, &metadata).ToString(), "OK");
  EXPECT_TRUE(metadata.step_stats.empty());
}

}  // namespace
}  // namespace plumb::dist
