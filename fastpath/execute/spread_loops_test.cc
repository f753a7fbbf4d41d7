// Laws of loops whose nodes lie on several devices (W20–W26).
#include <gtest/gtest.h>

#include <random>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

constexpr DType kInt = DType::kInt32;

using Devices = std::vector<std::string>;
const Devices kCpus = {"", "/cpu:0", "/cpu:1"};
const Devices kAll = {"", "/cpu:0", "/device:SIM:0", "/device:SIM:1"};  // three plans

// A graph whose nodes ask for a device or nothing, drawn from a seed; without a seed none asks.
class SpreadGraph : public TestGraph {
 public:
  explicit SpreadGraph(uint32_t seed) : seed_(seed), random_(seed) {}

  GraphDef Spread(const Devices& devices) {
    GraphDef spread = def();
    for (NodeDef& node : spread.nodes) {
      if (seed_ != 0) node.device = devices[random_() % devices.size()];
    }
    return spread;
  }

  // while (i < limit) { i += 1; sum = body(sum, i) }; returns the sum's Exit. `outer` goes through a constant Enter.
  template <class Body>
  std::string Loop(const std::string& name, const std::string& zero, const std::string& start, const std::string& limit,
                   const Body& body) {
    const auto n = [&](const char* part) { return name + "_" + part; };
    for (const bool is_sum : {false, true}) {
      const std::string v = n(is_sum ? "sum" : "i");
      Enter(v + "_enter", kInt, {is_sum ? start : zero}, name, false, 3);
      Merge(v, kInt, {v + "_enter", v + "_next"}, 2);
      Op(v + "_switch", "Switch", kInt, {v, n("cond")});
      Op(v + "_body", "Identity", kInt, {v + "_switch:1"});
    }
    Enter(n("limit"), kInt, {limit}, name, true, 3);
    Op(n("less"), "Less", kInt, {n("i"), n("limit")});
    Add(n("cond"), "LoopCond", {n("less")});
    Int(n("one"), 1, {"^" + n("i_body")});
    Op(n("i_add"), "Add", kInt, {n("i_body"), n("one")});
    Op(n("i_next"), "NextIteration", kInt, {n("i_add")});
    Op(n("sum_next"), "NextIteration", kInt, {body(n("sum_body"), n("i_add"))});
    return Op(n("exit"), "Exit", kInt, {n("sum_switch")});
  }

 private:
  const uint32_t seed_;
  std::mt19937 random_;
};

int32_t RunSpread(const GraphDef& def, int threads, int32_t rounds, bool takes) {
  SessionOptions options;
  options.threads = threads;
  options.cpu_devices = 2;
  options.sim_devices = 2;
  options.allow_soft_placement = true;  // the second of them lacks kernels
  const auto session = NewFastSession(options);
  Status status = session->Extend(def);
  std::vector<Tensor> outputs;
  const std::vector<Feed> feeds = {{"rounds", MakeScalar(rounds)}, {"takes", MakeScalar(takes)}};
  if (status.ok()) status = session->Run(feeds, std::vector<std::string>{"result"}, {}, &outputs);
  if (!status.ok()) throw Error(status);
  return outputs[0].scalar<int32_t>();
}

// A loop in a loop, the inner one in a conditional: for each i up to `rounds`, if i is odd, adds 1 + … + i. Where
// `takes` is false the whole is dead, and the result is -1.
SpreadGraph NestedLoops(uint32_t seed) {
  SpreadGraph graph(seed);
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

// W20–W22, X23: wherever the nodes of nested loops lie; loops that never turn, and loops that are dead.
TEST(SpreadLoops, GiveTheSameOnAnyDevices) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const GraphDef def = NestedLoops(seed).Spread(seed % 2 == 0 ? kCpus : kAll);
    for (const int threads : {1, 3}) {
      for (const int32_t rounds : {0, 1, 2, 7}) {
        EXPECT_EQ(RunSpread(def, threads, rounds, true), Expected(rounds)) << "seed " << seed << ", rounds " << rounds;
      }
      EXPECT_EQ(RunSpread(def, threads, 5, false), -1) << "seed " << seed;
    }
  }
}

// A frame that its tokens pass once, without LoopCond. `devices` by part: Enter, body, Exit.
Code RunOnce(const std::string& enter, const std::string& body, const std::string& end, int devices = 2) {
  TestGraph graph;
  graph.Int("x", 3);
  graph.Add("enter", "Enter", {"x"}, {{"T", kInt}, {"frame_name", "f"}}, enter);
  graph.Add("sum", "Add", {"enter", "enter"}, {{"T", kInt}}, body);
  graph.Add("square", "Square", {"sum"}, {{"T", kInt}}, end);
  graph.Add("exit", "Exit", {"square"}, {{"T", kInt}});
  SessionOptions options;
  options.cpu_devices = devices;
  return TestSession(graph, options).Try({}, {"exit"});
}

// W26; W20: an Enter moves to its consumer before anything is asked.
TEST(SpreadLoops, AFrameOnTwoDevicesNeedsAPredicate) {
  EXPECT_EQ(RunOnce("", "", ""), Code::kOk);
  EXPECT_EQ(RunOnce("/cpu:0", "/cpu:1", "/cpu:1"), Code::kOk);
  EXPECT_EQ(RunOnce("", "/cpu:1", ""), Code::kInvalidArgument);
  EXPECT_EQ(RunOnce("", "/cpu:0", "/cpu:1"), Code::kInvalidArgument);
}

}  // namespace
}  // namespace plumb::fast
