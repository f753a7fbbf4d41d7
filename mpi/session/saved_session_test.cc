// S10 and P1–P5 over several ranks.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "fastpath/testing/test_graph.h"
#include "mpi/session/cluster_testing.h"
#include "mpi/session/saved_rank.h"

namespace plumb::dist {
namespace {

using fast::TestGraph;
using Names = std::vector<std::string>;

constexpr char kPs[] = "/job:ps/task:0";
constexpr char kWorker[] = "/job:worker/task:0";

Tensor ValueOf(Session& session, const std::string& name) {
  std::vector<Tensor> outputs;
  EXPECT_EQ(session.Run({}, Names{name}, {}, &outputs).ToString(), "OK");
  return outputs.at(0);
}

// Draws on both tasks, a variable and a queue on the server.
TestGraph DrawsEverywhere() {
  const AttrMap seeds = {{"T", DType::kInt32}, {"dtype", DType::kFloat}, {"seed", 3}, {"seed2", 4}};
  TestGraph graph;
  graph.Const("shape", MakeVector<int32_t>({2}));
  graph.Add("here", "RandomUniform", {"shape"}, seeds, kWorker);
  graph.Add("there", "RandomUniform", {"shape"}, seeds, kPs);
  graph.Add("v", "VariableV2", {}, {{"shape", PartialShape({2})}, {"dtype", DType::kFloat}}, kPs);
  graph.Add("set", "Assign", {"v", "here"}, {{"T", DType::kFloat}});
  graph.Add("add", "AssignAdd", {"v", "there"}, {{"T", DType::kFloat}});
  const std::vector<DType> floats = {DType::kFloat};
  graph.Add("queue", "FIFOQueueV2", {}, {{"component_types", floats}}, kPs);
  graph.Add("put", "QueueEnqueueV2", {"queue", "here"}, {{"Tcomponents", floats}});
  graph.Add("take", "QueueDequeueV2", {"queue"}, {{"component_types", floats}});
  return graph;
}

TEST(SavedDistributedSession, GoesOnAsItWouldHaveGoneOn) {
  SavedState state;
  std::map<std::string, std::vector<Tensor>> expected;
  const Names asked = {"here", "there", "add", "take", "take"};
  {
    TestCluster cluster(2, "ps=1,worker=1");
    const auto session = cluster.Open(1);
    ASSERT_EQ(session->Extend(DrawsEverywhere().def()).ToString(), "OK");
    for (const char* target : {"set", "add", "put", "there", "put"}) {
      ASSERT_EQ(session->Run({}, {}, Names{target}, nullptr).ToString(), "OK") << target;
    }
    ASSERT_EQ(dynamic_cast<SavedSession&>(*session).Save(&state).ToString(), "OK");
    for (const std::string& name : asked) expected[name].push_back(ValueOf(*session, name));
  }
  TestCluster cluster(2, "ps=1,worker=1");
  const auto session = cluster.Open(1);
  ASSERT_EQ(session->Extend(DrawsEverywhere().def()).ToString(), "OK");
  ASSERT_EQ(dynamic_cast<SavedSession&>(*session).Restore(state).ToString(), "OK");
  SavedState again;  // What nobody has needed since is not lost
  ASSERT_EQ(dynamic_cast<SavedSession&>(*session).Save(&again).ToString(), "OK");
  ASSERT_EQ(again.size(), state.size());
  for (const auto& [path, value] : state) EXPECT_TRUE(again.at(path).BitwiseEquals(value)) << path;
  for (const std::string& name : asked) {
    EXPECT_TRUE(ValueOf(*session, name).BitwiseEquals(expected[name].front())) << name;
    expected[name].erase(expected[name].begin());
  }
}

// One rank's share: its own streams, and not those of others.
TEST(SavedDistributedSession, OneRankIsSavedWhileOthersWork) {
  TestCluster cluster(2, "ps=1,worker=1");
  const auto first = cluster.Open(1), second = cluster.Open(1);
  for (const auto& session : {first.get(), second.get()}) {
    ASSERT_EQ(session->Extend(DrawsEverywhere().def()).ToString(), "OK");
  }
  ValueOf(*first, "here");
  std::thread waits(
      [&] { EXPECT_EQ(first->Run({.timeout_ms = 60'000}, {}, {}, Names{"take"}, nullptr, nullptr).ToString(), "OK"); });
  SavedState state, refused;
  while (dynamic_cast<SavedSession&>(*first).Save(&refused).ok()) std::this_thread::yield();
  EXPECT_EQ(dynamic_cast<SavedSession&>(*first).Save(&refused).code(), Code::kFailedPrecondition);
  EXPECT_EQ(dynamic_cast<SavedRank&>(*first).SaveRank(&state).ToString(), "OK");
  EXPECT_EQ(dynamic_cast<SavedRank&>(*second).RestoreRank(state).ToString(), "OK");
  std::vector<Tensor> here, saved;
  EXPECT_EQ(first->Run({}, Names{"here"}, {}, &here).ToString(), "OK");
  EXPECT_EQ(second->Run({}, Names{"here"}, {}, &saved).ToString(), "OK");
  EXPECT_EQ(second->Run({}, {}, Names{"put"}, nullptr).ToString(), "OK");
  waits.join();
  EXPECT_TRUE(saved.at(0).BitwiseEquals(here.at(0)));
}

// y = (a + b) * c, a step whose pieces meet on the server.
TestGraph SumTimes() {
  const AttrMap floats = {{"T", DType::kFloat}};
  TestGraph graph;
  for (const char* name : {"a", "b", "c"}) graph.Add(name, "Placeholder", {}, {{"dtype", DType::kFloat}}, kWorker);
  graph.Add("sum", "Add", {"a", "b"}, floats, kPs);
  graph.Add("r", "Neg", {"sum"}, floats, kWorker);
  graph.Add("y", "Mul", {"r", "c"}, floats, kPs);
  return graph;
}

TEST(StepsInPieces, RunOverRanks) {
  TestCluster cluster(2, "ps=1,worker=1");
  const auto session = cluster.Open(1);
  ASSERT_EQ(session->Extend(SumTimes().def()).ToString(), "OK");
  std::string handle;
  ASSERT_EQ(session->PartialRunSetup(Names{"a", "b", "c"}, Names{"r", "y"}, {}, &handle).ToString(), "OK");
  std::vector<Tensor> outputs;
  const auto piece = [&](const std::vector<Feed>& feeds, const Names& fetches) {
    return session->PartialRun(handle, feeds, fetches, &outputs);
  };
  SavedState state;
  EXPECT_EQ(dynamic_cast<SavedSession&>(*session).Save(&state).code(), Code::kFailedPrecondition);
  EXPECT_EQ(piece({{"a", MakeScalar<float>(1)}}, {"r"}).code(), Code::kInvalidArgument) << "b is missing";
  ASSERT_EQ(piece({{"a", MakeScalar<float>(1)}}, {}).ToString(), "OK");
  ASSERT_EQ(piece({{"b", MakeScalar<float>(2)}}, {"r"}).ToString(), "OK");
  EXPECT_EQ(outputs.at(0).scalar<float>(), -3);
  // Long enough for ranks to be asked whether anything can happen any more.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ASSERT_EQ(piece({{"c", MakeScalar<float>(10)}}, {"y"}).ToString(), "OK");
  EXPECT_EQ(outputs.at(0).scalar<float>(), -30);
  EXPECT_EQ(piece({}, {}).code(), Code::kInvalidArgument) << "the step is over";
}

TEST(StepsInPieces, EndWhenTheirSessionDoesOrARankIsLost) {
  TestCluster cluster(2, "ps=1,worker=1");
  std::string handle;
  auto session = cluster.Open(1);
  ASSERT_EQ(session->Extend(SumTimes().def()).ToString(), "OK");
  ASSERT_EQ(session->PartialRunSetup(Names{"a", "b", "c"}, Names{"y"}, {}, &handle).ToString(), "OK");
  session.reset();
  session = cluster.Open(1);
  ASSERT_EQ(session->Extend(SumTimes().def()).ToString(), "OK");
  ASSERT_EQ(session->PartialRunSetup(Names{"a", "b", "c"}, Names{"r", "y"}, {}, &handle).ToString(), "OK");
  std::vector<Tensor> outputs;
  ASSERT_EQ(session->PartialRun(handle, std::vector<Feed>{{"a", MakeScalar<float>(1)}}, {}, &outputs).ToString(), "OK");
  cluster.Crash(0);
  const std::vector<Feed> rest = {{"b", MakeScalar<float>(2)}};
  EXPECT_EQ(session->PartialRun(handle, rest, Names{"r"}, &outputs).code(), Code::kUnavailable);
}

}  // namespace
}  // namespace plumb::dist
