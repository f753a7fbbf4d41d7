// Laws of steps over several ranks: they give what one process gives.
#include "mpi/session/distributed_session.h"

#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <thread>

#include "fastpath/testing/test_graph.h"
#include "mpi/session/cluster_testing.h"

namespace plumb::dist {
namespace {

using fast::TestGraph;
using Names = std::vector<std::string>;

constexpr char kPs[] = "/job:ps/task:0";
constexpr char kWorker[] = "/job:worker/task:0";

// A variable on the parameter server that is set, added to from the first worker, and read.
TestGraph SharedVariable(const std::string& worker = kWorker) {
  TestGraph graph;
  graph.Add("v", "VariableV2", {}, {{"shape", PartialShape({2})}, {"dtype", DType::kFloat}}, kPs);
  graph.Const("zero", MakeVector<float>({0, 0}));
  graph.Add("set", "Assign", {"v", "zero"}, {{"T", DType::kFloat}});
  graph.Add("x", "Placeholder", {}, {{"dtype", DType::kFloat}}, worker);
  graph.Add("square", "Mul", {"x", "x"}, {{"T", DType::kFloat}}, worker);
  graph.Add("add", "AssignAdd", {"v", "square"}, {{"T", DType::kFloat}, {"use_locking", true}});
  graph.Add("value", "Identity", {"v"}, {{"T", DType::kFloat}}, kPs);
  graph.Add("here", "Neg", {"value"}, {{"T", DType::kFloat}}, worker);
  return graph;
}

Status RunFor(Session& session, std::vector<Feed> feeds, Names fetches, Names targets, std::vector<Tensor>* outputs,
              int64_t timeout_ms = 20000) {
  RunOptions options;
  options.timeout_ms = timeout_ms;
  return session.Run(options, feeds, fetches, targets, outputs, nullptr);
}

std::vector<float> Floats(const Tensor& tensor) {
  const auto data = tensor.data<float>();
  return {data.begin(), data.end()};
}

TEST(DistributedSession, UpdatesAVariableOfTheParameterServerFromAWorker) {
  TestCluster cluster(2, "ps=1,worker=1");
  const auto session = cluster.Open(1);
  ASSERT_EQ(session->Extend(SharedVariable().def()).ToString(), "OK");
  std::vector<Tensor> outputs;
  ASSERT_EQ(RunFor(*session, {}, {}, {"set"}, &outputs).ToString(), "OK");
  const std::vector<Feed> feeds = {{"x", MakeVector<float>({2, 3})}};
  for (int step = 1; step <= 3; ++step) {
    ASSERT_EQ(RunFor(*session, feeds, {"add"}, {}, &outputs).ToString(), "OK");
    EXPECT_EQ(Floats(outputs[0]), (std::vector<float>{4.0F * step, 9.0F * step}));
  }
  ASSERT_EQ(RunFor(*session, {}, {"here", "value"}, {}, &outputs).ToString(), "OK");
  EXPECT_EQ(Floats(outputs[0]), (std::vector<float>{-12, -27}));
  EXPECT_EQ(Floats(outputs[1]), (std::vector<float>{12, 27}));
}

// What no client can run any more is not kept by those who ran parts of it.
TEST(DistributedSession, PartsThatAreGoneAreForgotten) {
  TestCluster cluster(2, "ps=1,worker=1");
  const auto session = cluster.Open(1);
  ASSERT_EQ(session->Extend(SharedVariable().def()).ToString(), "OK");
  std::vector<Tensor> outputs;
  ASSERT_EQ(RunFor(*session, {}, {}, {"set"}, &outputs).ToString(), "OK");
  const size_t before = cluster.server(0).parts();
  const Names feeds = {"x"}, fetches = {"add"};
  for (int i = 0; i < 5; ++i) {
    std::string handle;
    ASSERT_EQ(session->PartialRunSetup(feeds, fetches, {}, &handle).ToString(), "OK");
    const std::vector<Feed> values = {{"x", MakeVector<float>({2, 3})}};
    ASSERT_EQ(session->PartialRun(handle, values, fetches, &outputs).ToString(), "OK");
    std::unique_ptr<Session::Callable> callable;
    ASSERT_EQ(session->MakeCallable(feeds, fetches, {}, &callable).ToString(), "OK");
    EXPECT_GT(cluster.server(0).parts(), before);
  }
  for (int wait = 0; wait < 2000 && cluster.server(0).parts() > before + 1; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_LE(cluster.server(0).parts(), before + 1);
}

// A step that waits for long does not make others keep all later ones.
TEST(DistributedSession, StepsThatAreOverAreForgotten) {
  TestCluster cluster(2, "ps=1,worker=1");
  const auto session = cluster.Open(1);
  TestGraph graph = SharedVariable();
  const AttrMap types = {{"component_types", std::vector<DType>{DType::kFloat}}};
  AttrMap queue = types;
  queue["shared_name"] = std::string("queue");
  graph.Add("queue", "FIFOQueueV2", {}, queue, kPs);
  graph.Add("taken", "QueueDequeueV2", {"queue"}, types, kPs);
  graph.Add("put", "QueueEnqueueV2", {"queue", "zero"}, {{"Tcomponents", std::vector<DType>{DType::kFloat}}}, kPs);
  ASSERT_EQ(session->Extend(graph.def()).ToString(), "OK");
  std::vector<Tensor> outputs;
  ASSERT_EQ(RunFor(*session, {}, {}, {"set"}, &outputs).ToString(), "OK");
  std::thread waits([&] {
    std::vector<Tensor> taken;
    EXPECT_EQ(RunFor(*session, {}, {"taken"}, {}, &taken, 60'000).ToString(), "OK");
  });
  const std::vector<Feed> feeds = {{"x", MakeVector<float>({2, 3})}};
  constexpr size_t kSteps = 40;
  for (size_t step = 0; step < kSteps; ++step) {
    EXPECT_EQ(RunFor(*session, feeds, {"add"}, {}, &outputs).ToString(), "OK");
  }
  EXPECT_LT(cluster.server(0).StepsOf(1), kSteps / 4);
  EXPECT_EQ(RunFor(*session, {}, {}, {"put"}, &outputs).ToString(), "OK");
  waits.join();
}

// Between-graph replicas: each worker has a session of its own, and all mean the same variable (rule R1).
TEST(DistributedSession, WorkersShareTheVariablesOfTheParameterServer) {
  constexpr int kSteps = 50;
  TestCluster cluster(3, "ps=1,worker=2");
  const auto first = cluster.Open(1);
  std::vector<Tensor> outputs;
  ASSERT_EQ(first->Extend(SharedVariable().def()).ToString(), "OK");
  ASSERT_EQ(RunFor(*first, {}, {}, {"set"}, &outputs).ToString(), "OK");
  std::vector<std::function<void()>> workers;
  for (int worker = 0; worker < 2; ++worker) {
    workers.emplace_back([&cluster, worker] {
      const auto session = cluster.Open(worker + 1);
      ASSERT_EQ(session->Extend(SharedVariable(Str("/job:worker/task:", worker)).def()).ToString(), "OK");
      for (int step = 0; step < kSteps; ++step) {
        std::vector<Tensor> outputs;
        const std::vector<Feed> feeds = {{"x", MakeVector<float>({1, 2})}};
        ASSERT_EQ(RunFor(*session, feeds, {}, {"add"}, &outputs).ToString(), "OK");
      }
    });
  }
  cluster.RunTogether(workers);
  ASSERT_EQ(RunFor(*first, {}, {"value"}, {}, &outputs).ToString(), "OK");
  EXPECT_EQ(Floats(outputs[0]), (std::vector<float>{2 * kSteps, 8 * kSteps}));
}

// In-graph replicas: one client, whose graph names all tasks; and several of its steps at once.
TEST(DistributedSession, OneClientUsesAllTasks) {
  TestCluster cluster(4, "worker=4");
  TestGraph graph;
  graph.Placeholder("x", DType::kFloat);
  std::vector<std::string> parts;
  for (int task = 0; task < 4; ++task) {
    const std::string device = Str("/job:worker/task:", task);
    graph.Const(Str("c", task), MakeScalar(static_cast<float>(task + 1)));
    parts.push_back(graph.Add(Str("part", task), "Mul", {"x", Str("c", task)}, {{"T", DType::kFloat}}, device));
  }
  graph.Add("sum", "AddN", parts, {{"T", DType::kFloat}, {"N", 4}}, "/job:worker/task:3");
  const auto session = cluster.Open(0);
  ASSERT_EQ(session->Extend(graph.def()).ToString(), "OK");
  std::vector<std::function<void()>> clients;
  for (int client = 0; client < 4; ++client) {
    clients.emplace_back([&session, client] {
      for (int step = 0; step < 25; ++step) {
        std::vector<Tensor> outputs;
        const auto x = static_cast<float>(client * 100 + step);
        ASSERT_EQ(RunFor(*session, {{"x", MakeScalar(x)}}, {"sum"}, {}, &outputs).ToString(), "OK");
        EXPECT_EQ(outputs[0].scalar<float>(), 10 * x);
      }
    });
  }
  cluster.RunTogether(clients);
}

TEST(DistributedSession, CallablesRunOnAllRanks) {
  TestCluster cluster(2, "ps=1,worker=1");
  const auto session = cluster.Open(1);
  ASSERT_EQ(session->Extend(SharedVariable().def()).ToString(), "OK");
  std::vector<Tensor> outputs;
  ASSERT_EQ(RunFor(*session, {}, {}, {"set"}, &outputs).ToString(), "OK");
  std::unique_ptr<Session::Callable> add;
  ASSERT_EQ(session->MakeCallable(Names{"x"}, Names{"add"}, {}, &add).ToString(), "OK");
  const std::vector<Tensor> values = {MakeVector<float>({1, 1})};
  for (int step = 1; step <= 3; ++step) {
    ASSERT_EQ(add->Run(values, &outputs).ToString(), "OK");
    EXPECT_EQ(Floats(outputs[0])[0], step);
  }
}

// What others have is not there without a copy: strings, empty tensors, handles of resources travel too.
TEST(DistributedSession, ValuesOfAllTypesCrossRanks) {
  TestCluster cluster(2, "worker=2");
  TestGraph graph;
  const std::vector<Tensor> values = {
      MakeVector<std::string>({"a", "", std::string(1000, 'x')}), Tensor(DType::kInt32, Shape({0, 3})),
      MakeScalar(true), MakeScalar(std::complex<double>(1, -2)), Zeros(DType::kFloat, Shape({300, 1000}))};
  Names names;
  std::vector<Feed> feeds;
  for (size_t i = 0; i < values.size(); ++i) {
    const std::string in = graph.Placeholder(Str("in", i), values[i].dtype());
    const std::string there =
        graph.Add(Str("there", i), "Identity", {in}, {{"T", values[i].dtype()}}, "/job:worker/task:1");
    names.push_back(graph.Add(Str("back", i), "Identity", {there}, {{"T", values[i].dtype()}}, "/job:worker/task:0"));
    feeds.emplace_back(in, values[i]);
  }
  const auto session = cluster.Open(0);
  ASSERT_EQ(session->Extend(graph.def()).ToString(), "OK");
  std::vector<Tensor> outputs;
  ASSERT_EQ(RunFor(*session, feeds, names, {}, &outputs).ToString(), "OK");
  for (size_t i = 0; i < values.size(); ++i) EXPECT_TRUE(outputs[i].BitwiseEquals(values[i])) << i;
}

// F28: what is fetched of a variable is what it holds when the step is over.
TEST(DistributedSession, FetchedVariablesAreReadWhenTheStepIsOver) {
  TestCluster cluster(2, "ps=1,worker=1");
  const auto session = cluster.Open(1);
  ASSERT_EQ(session->Extend(SharedVariable().def()).ToString(), "OK");
  std::vector<Tensor> outputs;
  ASSERT_EQ(RunFor(*session, {}, {}, {"set"}, &outputs).ToString(), "OK");
  for (int step = 1; step <= 20; ++step) {
    const std::vector<Feed> feeds = {{"x", MakeVector<float>({1, 1})}};
    ASSERT_EQ(RunFor(*session, feeds, {"v"}, {"add"}, &outputs).ToString(), "OK");
    EXPECT_EQ(Floats(outputs[0])[0], step);
  }
}

TEST(DistributedSession, ResetReachesEveryRank) {
  TestCluster cluster(2, "ps=1,worker=1");
  const auto session = cluster.Open(1);
  ASSERT_EQ(session->Extend(SharedVariable().def()).ToString(), "OK");
  std::vector<Tensor> outputs;
  ASSERT_EQ(RunFor(*session, {}, {}, {"set"}, &outputs).ToString(), "OK");
  ASSERT_EQ(RunFor(*session, {}, {"here"}, {}, &outputs).ToString(), "OK");
  ASSERT_EQ(session->Reset({}).ToString(), "OK");
  EXPECT_EQ(RunFor(*session, {}, {"here"}, {}, &outputs).code(), Code::kFailedPrecondition);
}

TEST(DistributedSession, RefusesDevicesThatAreNotThere) {
  TestCluster cluster(2, "ps=1,worker=1");
  const auto session = cluster.Open(1);
  for (const std::string device : {"/job:chief", "/job:worker/task:1", "/job:ps/device:GPU:0", "/job:localhost"}) {
    TestGraph graph;
    graph.Add("x", "Placeholder", {}, {{"dtype", DType::kFloat}}, device);
    const Status status = session->Extend(graph.def());
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << device;
    EXPECT_NE(status.message().find("node 'x'"), std::string::npos) << status.message();
  }
}

TEST(DistributedSession, ClosedSessionsAnswerSo) {
  TestCluster cluster(2, "ps=1,worker=1");
  const auto session = cluster.Open(1), other = cluster.Open(1);
  std::vector<Tensor> outputs;
  ASSERT_EQ(session->Extend(SharedVariable().def()).ToString(), "OK");
  ASSERT_EQ(RunFor(*session, {}, {}, {"set"}, &outputs).ToString(), "OK");
  EXPECT_EQ(session->Close().ToString(), "OK");
  EXPECT_EQ(RunFor(*session, {}, {}, {"set"}, &outputs).code(), Code::kCancelled);
  ASSERT_EQ(other->Extend(SharedVariable().def()).ToString(), "OK");  // what it left on the server is there
  EXPECT_EQ(RunFor(*other, {}, {"here"}, {}, &outputs).ToString(), "OK");
}

}  // namespace
}  // namespace plumb::dist
