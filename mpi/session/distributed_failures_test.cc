// Laws of steps that fail: on one rank and so on all, with the first cause (W32, S2, S4).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "fastpath/testing/test_graph.h"
#include "mpi/session/cluster_testing.h"
#include "mpi/transport/testing/mailbox.h"

namespace plumb::dist {
namespace {

using Names = std::vector<std::string>;
constexpr DType kFloat = DType::kFloat;

// Rank 1 waits for an element of a queue that nobody fills, and the last rank for rank 1; "failing" fails there.
GraphDef Waiting(int ranks = 3) {
  fast::TestGraph graph;
  const std::string second = "/job:worker/task:1", third = Str("/job:worker/task:", ranks - 1);
  graph.Add("queue", "FIFOQueueV2", {}, {{"component_types", std::vector<DType>{kFloat}}}, second);
  graph.Add("element", "QueueDequeueV2", {"queue"}, {{"component_types", std::vector<DType>{kFloat}}}, second);
  graph.Add("far", "Neg", {"element"}, {{"T", kFloat}}, third);
  graph.Add("near", "Neg", {"far"}, {{"T", kFloat}}, "/job:worker/task:0");
  graph.Add("variable", "VariableV2", {}, {{"shape", PartialShape()}, {"dtype", kFloat}}, third);
  graph.Add("failing", "Identity", {"variable"}, {{"T", kFloat}}, third);
  graph.Placeholder("x", kFloat);
  graph.Add("fill", "QueueEnqueueV2", {"queue", "x"}, {{"Tcomponents", std::vector<DType>{kFloat}}}, second);
  return graph.def();
}

Status RunFor(Session& session, Names fetches, Names targets, int64_t timeout_ms) {
  RunOptions options;
  options.timeout_ms = timeout_ms;
  std::vector<Tensor> outputs;
  return session.Run(options, std::vector<Feed>{{"x", MakeScalar(1.0F)}}, fetches, targets, &outputs, nullptr);
}

// The cluster goes on.
void ExpectToWork(Session& session) {
  EXPECT_EQ(RunFor(session, {}, {"fill"}, 20'000).ToString(), "OK");
  EXPECT_EQ(RunFor(session, {"near"}, {}, 20'000).ToString(), "OK");
}

TEST(DistributedFailures, AFailureStopsAllRanksWithItsCause) {
  TestCluster cluster(3, "");
  const auto session = cluster.Open(0);
  ASSERT_EQ(session->Extend(Waiting()).ToString(), "OK");
  for (int step = 0; step < 5; ++step) {
    const Status status = RunFor(*session, {"near"}, {"failing"}, 20'000);
    EXPECT_EQ(status.code(), Code::kFailedPrecondition) << status.ToString();
    EXPECT_NE(status.message().find("failing"), std::string::npos) << status.ToString();
  }
  ExpectToWork(*session);
}

TEST(DistributedFailures, DeadlinesReachEveryRank) {
  TestCluster cluster(3, "");
  const auto session = cluster.Open(0);
  ASSERT_EQ(session->Extend(Waiting()).ToString(), "OK");
  const Status status = RunFor(*session, {"near"}, {}, 50);
  EXPECT_EQ(status.code(), Code::kDeadlineExceeded) << status.ToString();
  ExpectToWork(*session);
}

// S4: the message lists what waits, wherever it does: a dequeue on rank 1, and on rank 2 who wants its element.
TEST(DistributedFailures, LateStepsSayWhatWaitsOnEachRank) {
  TestCluster cluster(3, "");
  const auto session = cluster.Open(0);
  ASSERT_EQ(session->Extend(Waiting()).ToString(), "OK");
  Status status;
  for (const int64_t timeout_ms : {300, 1500, 7500}) {  // a rank that has not begun when time is up waits for nothing
    status = RunFor(*session, {"near"}, {}, timeout_ms);
    EXPECT_EQ(status.code(), Code::kDeadlineExceeded) << status.ToString();
    if (status.message().find("; on rank 2: ") != std::string::npos) break;
  }
  EXPECT_THAT(status.message(), testing::HasSubstr("(_Recv) waits for"));
  EXPECT_THAT(status.message(), testing::HasSubstr("on rank 1: 'element' (QueueDequeueV2)"));
  EXPECT_THAT(status.message(), testing::HasSubstr("; on rank 2: "));
  EXPECT_EQ(RunFor(*session, {"near"}, {"failing"}, 20'000).message().find("on rank"), std::string::npos);
}

TEST(DistributedFailures, ClosingStopsStepsEverywhere) {
  TestCluster cluster(3, "");
  const auto session = cluster.Open(0), other = cluster.Open(1);
  ASSERT_EQ(session->Extend(Waiting()).ToString(), "OK");
  Status status;
  std::thread client([&] { status = RunFor(*session, {"near"}, {}, 20'000); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(session->Close().ToString(), "OK");
  client.join();
  EXPECT_EQ(status.code(), Code::kCancelled) << status.ToString();
  ASSERT_EQ(other->Extend(Waiting()).ToString(), "OK");
  ExpectToWork(*other);
}

// What a part cannot be made of is said by the rank that should run it.
TEST(DistributedFailures, RefusedPartsAreTheClientsFailure) {
  TestCluster cluster(2, "");
  const auto session = cluster.Open(0);
  fast::TestGraph graph;
  graph.Placeholder("x", kFloat);
  graph.Add("far", "Reshape", {"x", "x"}, {{"T", kFloat}, {"Tshape", DType::kInt32}}, "/job:worker/task:1");
  EXPECT_EQ(session->Extend(graph.def()).code(), Code::kInvalidArgument);
  Status status;
  const auto ask = [&](const std::string& graph) {
    try {
      cluster.server(0).master().Register({0, 1, true, false}, {{1, graph}});
      return OkStatus();
    } catch (const Error& error) {
      return error.status();
    }
  };
  EXPECT_EQ(ask("these bytes are no graph").code(), Code::kInvalidArgument);
  EXPECT_EQ(ask("").code(), Code::kInvalidArgument);
}

// A rank that dies is named by the step that it had a part of, and by all that come later.
TEST(DistributedFailures, LostRanksAreNamed) {
  TestCluster cluster(3, "");
  const auto session = cluster.Open(0);
  ASSERT_EQ(session->Extend(Waiting()).ToString(), "OK");
  Status status;
  std::thread client([&] { status = RunFor(*session, {"near"}, {}, 20'000); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  cluster.Crash(1);
  client.join();
  EXPECT_EQ(status.code(), Code::kUnavailable) << status.ToString();
  EXPECT_NE(status.message().find("rank 1"), std::string::npos) << status.ToString();
  EXPECT_EQ(RunFor(*session, {"near"}, {}, 20'000).code(), Code::kUnavailable);
  EXPECT_EQ(RunFor(*session, {"failing"}, {}, 20'000).code(), Code::kUnavailable);
}

// A rank whose messages cannot be read counts as lost.
TEST(DistributedFailures, RanksThatSendNonsenseAreLost) {
  Mailbox box;  // outlives its end
  auto ends = NewLoopback(2);
  ends[1]->Start(&box);
  const auto server = std::make_shared<Server>(std::move(ends[0]), ServerOptions{});
  const std::string version = Encode(Hello{kProtocolVersion, "worker=2 with 1 CPUs each"});
  ends[1]->Send(0, version);
  server->AwaitOthers();
  const auto session = NewDistributedSession(server, {});
  ASSERT_EQ(session->Extend(Waiting(2)).ToString(), "OK");
  ends[1]->Send(0, "nonsense");
  const Status status = RunFor(*session, {"near"}, {}, 20'000);
  EXPECT_EQ(status.code(), Code::kInvalidArgument) << status.ToString();
  EXPECT_NE(status.message().find("rank 1: a message from another rank"), std::string::npos) << status.ToString();
}

TEST(DistributedFailures, RanksThatDisagreeDoNotBegin) {
  Mailbox box;  // outlives its end
  auto ends = NewLoopback(2);
  ends[1]->Start(&box);
  Server server(std::move(ends[0]), {"ps=1,worker=1"});
  ends[1]->Send(0, Encode(Hello{kProtocolVersion, "worker=2 with 1 CPUs each"}));
  try {
    server.AwaitOthers();
    ADD_FAILURE() << "they begin";
  } catch (const Error& error) {
    EXPECT_EQ(error.status().code(), Code::kFailedPrecondition);
    for (const char* said : {"rank 1", "worker=2", "ps=1,worker=1"}) {
      EXPECT_NE(error.status().message().find(said), std::string::npos) << error.what();
    }
  }
  ends[1]->Stop();
}

}  // namespace
}  // namespace plumb::dist
