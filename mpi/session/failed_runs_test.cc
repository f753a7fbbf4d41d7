// A run lives as long as all of its ranks: where one is lost before it has left, or gives up, steps fail everywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "fastpath/testing/test_graph.h"
#include "mpi/session/cluster_testing.h"
#include "spec/session/saved_state.h"

namespace plumb::dist {
namespace {

using ::testing::HasSubstr;

// Workers that meet at a queue of the parameter server, as synchronous replicas do; no step names another worker.
GraphDef Tokens() {
  fast::TestGraph graph;
  const AttrMap of = {{"component_types", std::vector<DType>{DType::kFloat}}};
  graph.Add("queue", "FIFOQueueV2", {}, of, "/job:ps/task:0");
  graph.Add("token", "QueueDequeueV2", {"queue"}, of, "/job:ps/task:0");
  graph.Placeholder("x", DType::kFloat);
  graph.Add("fill", "QueueEnqueueV2", {"queue", "x"}, {{"Tcomponents", std::vector<DType>{DType::kFloat}}},
            "/job:ps/task:0");
  return graph.def();
}

Status Take(Session& session) {
  std::vector<Tensor> outputs;
  return session.Run({.timeout_ms = 20'000}, std::vector<Feed>(), std::vector<std::string>{"token"}, {}, &outputs,
                     nullptr);
}

Status Fill(Session& session) {
  std::vector<Tensor> none;
  return session.Run({.timeout_ms = 20'000}, std::vector<Feed>{{"x", MakeScalar(1.0F)}}, {},
                     std::vector<std::string>{"fill"}, &none, nullptr);
}

// Rank 1 waits for a token, and rank 0 serves, until rank 2 does what `fails` says. How their calls end.
struct Ends {
  Status step, served;
};
Ends EndsWhen(TestCluster& cluster, Session& session, const std::function<void()>& fails) {
  Ends ends;
  std::thread client([&] { ends.step = Take(session); });
  std::thread server([&] { ends.served = cluster.server(0).Serve(); });
  while (cluster.server(0).GuestsWait().find("'token'") == std::string::npos) std::this_thread::yield();
  fails();
  client.join();
  server.join();
  return ends;
}

TEST(FailedRuns, AreThoseOfWhichARankIsLost) {
  TestCluster cluster(3, "ps=1,worker=2");
  const auto session = cluster.Open(1);
  ASSERT_EQ(session->Extend(Tokens()).ToString(), "OK");
  const Ends ends = EndsWhen(cluster, *session, [&] { cluster.Crash(2); });
  for (const Status& status : {ends.step, ends.served}) {
    EXPECT_EQ(status.code(), Code::kUnavailable) << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr("rank 2 on this process was killed; step 1 of rank 1"));
  }
  EXPECT_THAT(ends.served.message(), HasSubstr("step 1 of rank 1: 'token' (QueueDequeueV2) waits for "));
  const Status later = Fill(*session);
  EXPECT_EQ(later.code(), Code::kUnavailable) << later.ToString();
  EXPECT_THAT(later.message(), HasSubstr("rank 2 on this process was killed"));
  for (const int rank : {0, 1}) EXPECT_EQ(cluster.server(rank).run().code(), Code::kUnavailable);
}

// By any code the others' steps are aborted: they have not failed of it themselves.
TEST(FailedRuns, AreThoseOfWhichARankGivesUp) {
  TestCluster cluster(3, "ps=1,worker=2");
  const auto session = cluster.Open(1);
  ASSERT_EQ(session->Extend(Tokens()).ToString(), "OK");
  const Ends ends =
      EndsWhen(cluster, *session, [&] { cluster.server(2).GiveUp(Status(Code::kOutOfRange, "the disk is full")); });
  for (const Status& status : {ends.step, ends.served}) {
    EXPECT_EQ(status.code(), Code::kAborted) << status.ToString();
    EXPECT_THAT(status.message(),
                HasSubstr("rank 2 on this process gave up: OUT_OF_RANGE: the disk is full; step 1 of rank 1"));
  }
  EXPECT_EQ(Fill(*session).code(), Code::kAborted);
  EXPECT_EQ(session->Reset({}).code(), Code::kAborted);
  SavedState state;
  EXPECT_EQ(dynamic_cast<SavedSession&>(*session).Save(&state).code(), Code::kAborted);
  for (const int rank : {0, 1, 2}) EXPECT_EQ(cluster.server(rank).run().code(), Code::kAborted);
}

// Between two others a wire is cut: who has not noticed is told.
TEST(FailedRuns, AreThoseOfWhichOneRankHasLostAnother) {
  TestCluster cluster(3, "ps=1,worker=2");
  const auto session = cluster.Open(1);
  ASSERT_EQ(session->Extend(Tokens()).ToString(), "OK");
  const Ends ends = EndsWhen(cluster, *session, [&] {
    static_cast<Receiver&>(cluster.server(0)).Lost(2, Status(Code::kUnavailable, "rank 2 is out of reach"));
  });
  EXPECT_EQ(ends.served.code(), Code::kUnavailable);
  EXPECT_EQ(ends.step.code(), Code::kUnavailable) << ends.step.ToString();
  EXPECT_THAT(ends.step.message(), HasSubstr("rank 2 is out of reach"));
}

TEST(FailedRuns, AreNotThoseThatSomebodyHasLeft) {
  TestCluster cluster(3, "ps=1,worker=2");
  const auto session = cluster.Open(1);
  ASSERT_EQ(session->Extend(Tokens()).ToString(), "OK");
  std::vector<Status> runs(3);
  std::vector<std::thread> leaving;
  leaving.emplace_back([&] { runs[2] = cluster.server(2).Leave(); });
  leaving.emplace_back([&] {
    runs[0] = cluster.server(0).Serve();
    if (runs[0].ok()) runs[0] = cluster.server(0).Leave();
  });
  for (int step = 0; step < 5; ++step) {
    EXPECT_EQ(Fill(*session).ToString(), "OK");
    EXPECT_EQ(Take(*session).ToString(), "OK");
  }
  runs[1] = cluster.server(1).Leave();
  for (std::thread& each : leaving) each.join();
  for (const Status& run : runs) EXPECT_EQ(run.ToString(), "OK");
}

// Whoever does not hear that the run has failed holds up nobody for long.
TEST(FailedRuns, EndWithoutThoseWhoDoNotHear) {
  ServerOptions options{"worker=2", /*threads=*/2};
  options.last_words = std::chrono::milliseconds(10);
  TestCluster cluster(2, options);
  cluster.server(0).GiveUp(Status(Code::kDataLoss, "no more"));
  EXPECT_EQ(cluster.server(0).Leave().code(), Code::kAborted);
}

}  // namespace
}  // namespace plumb::dist
