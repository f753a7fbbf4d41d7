// Sessions over simulated links: a seed repeats a run, others run otherwise and come to the same values.
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "fastpath/testing/test_graph.h"
#include "mpi/session/cluster_testing.h"

namespace plumb::dist {
namespace {

using fast::TestGraph;
using Names = std::vector<std::string>;

constexpr SessionOptions kEqualCosts = {.forced_sharing = 100};  // not those that are measured

// A variable of the server that workers add to, each what its own queue has given it.
GraphDef Adding(int worker) {
  const std::string server = "/job:ps/task:0", here = Str("/job:worker/task:", worker);
  const AttrMap type = {{"T", DType::kFloat}};
  const std::vector<DType> floats = {DType::kFloat};
  TestGraph graph;
  graph.Add("total", "VariableV2", {}, {{"shape", PartialShape()}, {"dtype", DType::kFloat}}, server);
  graph.Const("zero", MakeScalar(0.0F));
  graph.Add("set", "Assign", {"total", "zero"}, type);
  graph.Add("is_set", "IsVariableInitialized", {"total"}, {{"dtype", DType::kFloat}}, server);
  graph.Add("queue", "FIFOQueueV2", {}, {{"component_types", floats}, {"shared_name", Str("queue", worker)}}, here);
  graph.Placeholder("x", DType::kFloat);
  graph.Add("put", "QueueEnqueueV2", {"queue", "x"}, {{"Tcomponents", floats}});
  graph.Add("take", "QueueDequeueV2", {"queue"}, {{"component_types", floats}});
  graph.Add("add", "AssignAdd", {"total", "take"}, {{"T", DType::kFloat}, {"use_locking", true}});
  graph.Add("value", "Identity", {"total"}, type, server);
  return graph.def();
}

Status RunStep(Session& session, const std::vector<Feed>& feeds, const Names& fetches, const Names& targets,
               std::vector<Tensor>* outputs) {
  return session.Run({.timeout_ms = 60'000}, feeds, fetches, targets, outputs, nullptr);
}

struct Seen {
  float total = 0;
  uint64_t fingerprint = 0;
};
Seen AddTogether(uint64_t seed) {
  constexpr int kWorkers = 3, kSteps = 8;
  const auto run = std::make_shared<SimulatedRun>(kWorkers + 1, Delayed(seed));
  Seen seen;
  {
    TestCluster cluster(kWorkers + 1, ServerOptions{.cluster = "ps=1,worker=3"}, run);
    std::vector<std::function<void()>> workers;
    for (int worker = 0; worker < kWorkers; ++worker) {
      workers.emplace_back([&cluster, &seen, worker] {
        const auto session = cluster.Open(worker + 1, kEqualCosts);
        std::vector<Tensor> outputs;
        ASSERT_EQ(session->Extend(Adding(worker)).ToString(), "OK");
        if (worker == 0) {
          ASSERT_EQ(RunStep(*session, {}, {}, {"set"}, &outputs).ToString(), "OK");
        }
        do ASSERT_EQ(RunStep(*session, {}, {"is_set"}, {}, &outputs).ToString(), "OK");
        while (!outputs[0].scalar<bool>());
        for (int step = 0; step < kSteps; ++step) {
          const std::vector<Feed> one = {{"x", MakeScalar(1.0F)}};
          ASSERT_EQ(RunStep(*session, one, {}, {"put"}, &outputs).ToString(), "OK");
          ASSERT_EQ(RunStep(*session, {}, {}, {"add"}, &outputs).ToString(), "OK");
        }
        do ASSERT_EQ(RunStep(*session, {}, {"value"}, {}, &outputs).ToString(), "OK");
        while (outputs[0].scalar<float>() < kWorkers * kSteps);
        if (worker == 0) seen.total = outputs[0].scalar<float>();
      });
    }
    cluster.RunTogether(workers);
    seen.fingerprint = run->fingerprint();
  }
  return seen;
}

TEST(SimulatedSessions, RepeatThemselvesByTheirSeed) {
  std::set<uint64_t> fingerprints;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const Seen first = AddTogether(seed), second = AddTogether(seed);
    EXPECT_EQ(first.fingerprint, second.fingerprint) << "seed " << seed;
    EXPECT_EQ(first.total, 24) << "seed " << seed;
    fingerprints.insert(first.fingerprint);
  }
  EXPECT_GT(fingerprints.size(), 6u);
}

// A step over all of many ranks: each adds its number to what the one before has, all in virtual time.
TEST(SimulatedSessions, HaveRoomForManyRanks) {
  constexpr int kRanks = 150;
  SimulatedOptions options = Delayed(2);
  options.links.latency = 1e-3;
  const auto run = std::make_shared<SimulatedRun>(kRanks, options);
  TestCluster cluster(kRanks, ServerOptions{}, run);
  TestGraph graph;
  std::string last = graph.Const("begin", MakeScalar(0.0F));
  for (int rank = 0; rank < kRanks; ++rank) {
    const std::string own = graph.Const(Str("own", rank), MakeScalar(static_cast<float>(rank)));
    last = graph.Add(Str("sum", rank), "Add", {last, own}, {{"T", DType::kFloat}}, Str("/job:worker/task:", rank));
  }
  const auto session = cluster.Open(0, {.optimize = false});
  ASSERT_EQ(session->Extend(graph.def()).ToString(), "OK");
  std::vector<Tensor> outputs;
  ASSERT_EQ(RunStep(*session, {}, {last}, {}, &outputs).ToString(), "OK");  // its parts are registered
  const double before = run->now();
  ASSERT_EQ(RunStep(*session, {}, {last}, {}, &outputs).ToString(), "OK");
  EXPECT_EQ(outputs[0].scalar<float>(), kRanks * (kRanks - 1) / 2);
  EXPECT_GE(run->now() - before, (kRanks - 1) * options.links.latency) << "one after the other";
}

// 12.5 MB at 1 Gbit/s, there and back.
TEST(SimulatedSessions, TakeTheTimeThatLinksDo) {
  SimulatedOptions options = Delayed(4);
  options.links.bytes_per_second = 125e6;
  const auto run = std::make_shared<SimulatedRun>(2, options);
  TestCluster cluster(2, ServerOptions{}, run);
  TestGraph graph;
  graph.Placeholder("x", DType::kFloat);
  graph.Add("far", "Neg", {"x"}, {{"T", DType::kFloat}}, "/job:worker/task:1");
  graph.Add("near", "Neg", {"far"}, {{"T", DType::kFloat}}, "/job:worker/task:0");
  const auto session = cluster.Open(0);
  ASSERT_EQ(session->Extend(graph.def()).ToString(), "OK");
  const double before = run->now();
  std::vector<Tensor> outputs;
  const std::vector<Feed> feeds = {{"x", Zeros(DType::kFloat, Shape({3'125'000}))}};
  ASSERT_EQ(RunStep(*session, feeds, {"near"}, {}, &outputs).ToString(), "OK");
  EXPECT_GE(run->now() - before, 0.2);
  EXPECT_LT(run->now() - before, 0.3);
}

// What a client waits for that another one gives it after some steps of its own.
struct Waited {
  Status status;
  double seconds = 0;  // virtual
  int64_t arrivals = 0;
  uint64_t fingerprint = 0;
};
Waited WaitFor(uint64_t seed, int64_t timeout_ms, bool is_given) {
  const auto run = std::make_shared<SimulatedRun>(3, Delayed(seed));
  Waited waited;
  {
    TestCluster cluster(3, ServerOptions{.cluster = "ps=1,worker=2"}, run);
    const std::vector<Feed> one = {{"x", MakeScalar(1.0F)}};
    const auto open = [&](int worker) {
      auto session = cluster.Open(worker + 1, kEqualCosts);
      EXPECT_EQ(session->Extend(Adding(0)).ToString(), "OK");
      return session;
    };
    const auto giver = open(0), taker = open(1);
    const auto give = [&] {
      std::vector<Tensor> outputs;
      ASSERT_EQ(RunStep(*giver, {}, {}, {"set"}, &outputs).ToString(), "OK");
      ASSERT_EQ(RunStep(*giver, {}, {"value"}, {}, &outputs).ToString(), "OK");
      if (is_given) {
        ASSERT_EQ(RunStep(*giver, one, {}, {"put"}, &outputs).ToString(), "OK");
      }
    };
    const auto take = [&] {
      std::vector<Tensor> outputs;
      const double before = run->now();
      waited.status = taker->Run({.timeout_ms = timeout_ms}, {}, Names{"take"}, {}, &outputs, nullptr);
      waited.seconds = run->now() - before;
    };
    cluster.RunTogether({give, take});
    waited.arrivals = run->arrivals();
    waited.fingerprint = run->fingerprint();
  }
  return waited;
}

// Ten minutes by no clock.
TEST(SimulatedSessions, StepsAreLateInVirtualTime) {
  const auto began = std::chrono::steady_clock::now();
  const Waited late = WaitFor(3, 600'000, /*is_given=*/false);
  EXPECT_EQ(late.status.code(), Code::kDeadlineExceeded) << late.status.ToString();
  for (const char* said : {"longer than its timeout of 600000 ms", "take"}) {
    EXPECT_NE(late.status.message().find(said), std::string::npos) << late.status.ToString();
  }
  EXPECT_GE(late.seconds, 600);
  EXPECT_LT(late.seconds, 601);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(300));
}

// Whether what a step waits for comes in time is up to the delays that are drawn.
TEST(SimulatedSessions, ASeedRepeatsWhichStepIsLate) {
  std::set<Code> codes;
  for (uint64_t seed = 1; seed <= 31; seed += 2) {
    const Waited first = WaitFor(seed, 12, /*is_given=*/true), second = WaitFor(seed, 12, /*is_given=*/true);
    EXPECT_EQ(first.status.code(), second.status.code()) << "seed " << seed;
    EXPECT_EQ(first.seconds, second.seconds) << "seed " << seed;
    EXPECT_EQ(first.arrivals, second.arrivals) << "seed " << seed;
    // Ranks are told what a late step waits for, by the key, in which each run's devices are others (W23).
    if (first.status.ok()) {
      EXPECT_EQ(first.fingerprint, second.fingerprint) << "seed " << seed;
    }
    codes.insert(first.status.code());
  }
  EXPECT_EQ(codes, (std::set<Code>{Code::kOk, Code::kDeadlineExceeded}));
}

// When a run has failed, whoever leaves waits no longer than his last words may take, and no clock.
TEST(SimulatedSessions, HaveTheirLastWordsInVirtualTime) {
  const auto run = std::make_shared<SimulatedRun>(2, Delayed(6));
  ServerOptions options;
  options.last_words = std::chrono::minutes(10);
  TestCluster cluster(2, options, run);
  const auto began = std::chrono::steady_clock::now();
  cluster.RunTogether({[&cluster] {
    cluster.server(0).GiveUp(Status(Code::kDataLoss, "no more"));
    EXPECT_EQ(cluster.server(0).Leave().code(), Code::kAborted);
  }});
  EXPECT_GE(run->now(), 600);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(300));
}

// A rank that is cut off in the middle of a step is lost to it after four virtual seconds.
TEST(SimulatedSessions, SayWhoIsSilent) {
  const auto run = std::make_shared<SimulatedRun>(3, Delayed(5));
  TestCluster cluster(3, ServerOptions{}, run);
  TestGraph graph;
  graph.Placeholder("x", DType::kFloat);
  graph.Add("far", "Neg", {"x"}, {{"T", DType::kFloat}}, "/job:worker/task:2");
  const auto session = cluster.Open(0);
  ASSERT_EQ(session->Extend(graph.def()).ToString(), "OK");
  std::vector<Tensor> outputs;
  const std::vector<Feed> feeds = {{"x", MakeScalar(1.0F)}};
  ASSERT_EQ(RunStep(*session, feeds, {"far"}, {}, &outputs).ToString(), "OK");
  run->CutOff(2);
  const Status status = RunStep(*session, feeds, {"far"}, {}, &outputs);
  EXPECT_EQ(status.code(), Code::kUnavailable) << status.ToString();
  EXPECT_NE(status.message().find("rank 2"), std::string::npos) << status.ToString();
  EXPECT_NE(status.message().find("has said nothing for 4 s"), std::string::npos) << status.ToString();
}

}  // namespace
}  // namespace plumb::dist
