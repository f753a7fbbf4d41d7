// Laws of dead tokens and loops that cross ranks (W20–W26, X4, X8).
#include <gtest/gtest.h>

#include <random>

#include "fastpath/testing/test_graph.h"
#include "mpi/session/cluster_testing.h"

namespace plumb::dist {
namespace {

constexpr DType kInt = DType::kInt32;
constexpr RunOptions kWithLimit = {.timeout_ms = 30'000};

// A graph whose nodes ask for a task or nothing, drawn from a seed.
class SpreadGraph : public fast::TestGraph {
 public:
  GraphDef Spread(uint32_t seed, int tasks) const {
    std::mt19937 random(seed);
    GraphDef spread = def();
    for (NodeDef& node : spread.nodes) {
      const auto task = random() % (tasks + 1);
      if (task > 0) node.device = Str("/job:worker/task:", task - 1);
    }
    return spread;
  }

  // while (i < limit) { i += 1; sum = body(sum, i) }; returns the sum's Exit.
  template <class Body>
  std::string Loop(const std::string& name, const std::string& zero, const std::string& start, const std::string& limit,
                   const Body& body, int parallel_iterations = 3) {
    const auto n = [&](const char* part) { return name + "_" + part; };
    for (const bool is_sum : {false, true}) {
      const std::string v = n(is_sum ? "sum" : "i");
      Enter(v + "_enter", kInt, {is_sum ? start : zero}, name, false, parallel_iterations);
      Merge(v, kInt, {v + "_enter", v + "_next"}, 2);
      Op(v + "_switch", "Switch", kInt, {v, n("cond")});
      Op(v + "_body", "Identity", kInt, {v + "_switch:1"});
    }
    Enter(n("limit"), kInt, {limit}, name, true, parallel_iterations);
    Op(n("less"), "Less", kInt, {n("i"), n("limit")});
    Add(n("cond"), "LoopCond", {n("less")});
    Int(n("one"), 1, {"^" + n("i_body")});
    Op(n("i_add"), "Add", kInt, {n("i_body"), n("one")});
    Op(n("i_next"), "NextIteration", kInt, {n("i_add")});
    Op(n("sum_next"), "NextIteration", kInt, {body(n("sum_body"), n("i_add"))});
    return Op(n("exit"), "Exit", kInt, {n("sum_switch")});
  }
};

// If `takes`: for each odd i up to `rounds` adds 1 + … + i; a loop in a loop, the inner one in a conditional. Else -1.
SpreadGraph NestedLoops() {
  SpreadGraph graph;
  graph.Placeholder("rounds", kInt);
  graph.Placeholder("takes", DType::kBool);
  graph.Int("minus_one", -1);
  graph.Int("zero", 0);
  graph.Op("gate", "Switch", kInt, {"rounds", "takes"});
  graph.Op("zero_gate", "Switch", kInt, {"zero", "takes"});
  graph.Op("other", "Switch", kInt, {"minus_one", "takes"});
  graph.Loop("outer", "zero_gate:1", "zero_gate:1", "gate:1", [&](const std::string& sum, const std::string& i) {
    graph.Int("two", 2, {"^" + i});
    graph.Int("inner_zero", 0, {"^" + i});
    graph.Op("rest", "FloorMod", kInt, {i, "two"});
    graph.Op("is_odd", "Greater", kInt, {"rest", "inner_zero"});
    graph.Op("odd_i", "Switch", kInt, {i, "is_odd"});
    graph.Op("odd_sum", "Switch", kInt, {sum, "is_odd"});
    graph.Op("odd_zero", "Switch", kInt, {"inner_zero", "is_odd"});
    graph.Loop("inner", "odd_zero:1", "odd_sum:1", "odd_i:1", [&](const std::string& s, const std::string& k) {
      return graph.Op("inner_add", "Add", kInt, {s, k});
    });
    return graph.Merge("either", kInt, {"odd_sum", "inner_exit"}, 2);
  });
  graph.Merge("result", kInt, {"other", "outer_exit"}, 2);
  return graph;
}

int32_t Expected(int32_t rounds) {
  int32_t sum = 0;
  for (int32_t i = 1; i <= rounds; i += 2) sum += i * (i + 1) / 2;
  return sum;
}

TEST(DistributedControlFlow, NestedLoopsGiveTheSameOnAnyRanks) {
  for (const int ranks : {1, 2, 3}) {
    TestCluster cluster(ranks, "");
    for (uint32_t seed = 0; seed < 12; ++seed) {
      const auto session = cluster.Open(static_cast<int>(seed) % ranks);
      ASSERT_EQ(session->Extend(NestedLoops().Spread(seed, ranks)).ToString(), "OK");
      for (const int32_t rounds : {0, 1, 2, 7, -1}) {
        const std::vector<Feed> feeds = {{"rounds", MakeScalar(rounds < 0 ? 5 : rounds)},
                                         {"takes", MakeScalar(rounds >= 0)}};
        std::vector<Tensor> outputs;
        const Status status =
            session->Run(kWithLimit, feeds, std::vector<std::string>{"result"}, {}, &outputs, nullptr);
        ASSERT_EQ(status.ToString(), "OK") << ranks << " ranks, seed " << seed << ", rounds " << rounds;
        EXPECT_EQ(outputs[0].scalar<int32_t>(), rounds < 0 ? -1 : Expected(rounds)) << "seed " << seed;
      }
    }
  }
}

// Each iteration adds what another rank makes of its number, which no later iteration waits for: as many as the loop
// allows are on their way there and back at once.
TEST(DistributedControlFlow, IterationsOverlapOnTheirWay) {
  constexpr int kIterations = 64, kAtOnce = 16;
  constexpr double kLatency = 1e-3;  // seconds
  const auto seconds_with = [&](int parallel_iterations) {
    SimulatedOptions options = Delayed(2);
    options.links.latency = kLatency;
    options.links.jitter = 0;
    const auto run = std::make_shared<SimulatedRun>(2, options);
    TestCluster cluster(2, ServerOptions{}, run);
    SpreadGraph graph;
    graph.Int("zero", 0);
    graph.Int("limit", kIterations);
    const auto body = [&](const std::string& sum, const std::string& i) {
      graph.Add("far", "Neg", {i}, {{"T", kInt}}, "/job:worker/task:1");
      return graph.Op("near", "Add", kInt, {sum, "far"});
    };
    const std::vector<std::string> fetches = {graph.Loop("loop", "zero", "zero", "limit", body, parallel_iterations)};
    const auto session = cluster.Open(0);
    EXPECT_EQ(session->Extend(graph.def()).ToString(), "OK");
    double began = 0;
    for (int step = 0; step < 2; ++step) {  // in the first one parts are registered
      began = run->now();
      std::vector<Tensor> outputs;
      EXPECT_EQ(session->Run(kWithLimit, {}, fetches, {}, &outputs, nullptr).ToString(), "OK");
      EXPECT_EQ(outputs.empty() ? 0 : outputs[0].scalar<int32_t>(), -kIterations * (kIterations + 1) / 2);
    }
    return run->now() - began;
  };
  const double alone = seconds_with(1), overlapping = seconds_with(kAtOnce);
  EXPECT_GE(alone, kIterations * 2 * kLatency) << "an iteration waits for the one before";
  EXPECT_LT(overlapping, alone / 4);
}

// X8, X18, F27: a NextIteration that is dead sends nothing, and who waits for it on another rank waits for nothing.
TEST(DistributedControlFlow, StepsEndWhenNothingMoreCanHappen) {
  TestCluster cluster(3, "");
  fast::TestGraph graph;
  graph.Placeholder("pred", DType::kBool);
  graph.Float("x", 1);
  graph.Op("switch", "Switch", DType::kFloat, {"x", "pred"});
  graph.Op("next", "NextIteration", DType::kFloat, {"switch:1"});
  graph.Add("far", "Neg", {"next"}, {{"T", DType::kFloat}}, "/job:worker/task:1");
  graph.Add("farther", "Neg", {"far"}, {{"T", DType::kFloat}}, "/job:worker/task:2");
  const auto session = cluster.Open(0);
  ASSERT_EQ(session->Extend(graph.def()).ToString(), "OK");
  for (int step = 0; step < 3; ++step) {
    std::vector<Tensor> outputs;
    const Status status = session->Run(kWithLimit, std::vector<Feed>{{"pred", MakeScalar(false)}},
                                       std::vector<std::string>{"farther"}, {}, &outputs, nullptr);
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << status.ToString();
  }
}

}  // namespace
}  // namespace plumb::dist
