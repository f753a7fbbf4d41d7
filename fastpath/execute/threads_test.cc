// Laws of steps that use several threads: results do not depend on them, errors and limits stop them, steps overlap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <thread>

#include "fastpath/testing/test_graph.h"

namespace plumb::fast {
namespace {

constexpr DType kFloat = DType::kFloat;

SessionOptions WithThreads(int threads, int devices = 1) {
  SessionOptions options;
  options.threads = threads;
  options.cpu_devices = devices;
  options.optimize = false;
  return options;
}

Tensor Ramp(int64_t rows, int64_t columns) {
  Tensor tensor(kFloat, Shape({rows, columns}));
  const auto data = tensor.mutable_data<float>();
  for (size_t i = 0; i < data.size(); ++i) data[i] = 0.01f * static_cast<float>(i % 37) - 0.15f;
  return tensor;
}

// A random graph whose nodes are costly enough to be shared between threads: elementwise ops and MatMuls over 64 × 64
// values, conditionals on scalars, and now and then a loop.
class RandomGraph {
 public:
  explicit RandomGraph(uint32_t seed) : random_(seed) {
    graph_.Placeholder("x", kFloat);
    graph_.Placeholder("pred", DType::kBool);
    values_ = {"x"};
    for (int i = 0; i < 30; ++i) AddSomething(std::to_string(i));
  }
  const TestGraph& graph() const { return graph_; }
  std::vector<std::string> fetches() const { return {values_.end() - 5, values_.end()}; }

 private:
  std::string Pick() { return values_[random_() % values_.size()]; }
  std::string Device() { return random_() % 3 == 0 ? "/cpu:1" : ""; }
  std::string Op(const std::string& name, const std::string& op, std::vector<std::string> inputs) {
    return graph_.Add(name, op, std::move(inputs), {{"T", kFloat}}, Device());
  }

  void AddSomething(const std::string& id) {
    switch (random_() % 6) {
      case 0:
        values_.push_back(Op("tanh" + id, "Tanh", {Pick()}));
        break;
      case 1:
        values_.push_back(Op("product" + id, "MatMul", {Pick(), Pick()}));
        values_.push_back(Op("small" + id, "Sigmoid", {values_.back()}));
        break;
      case 2:
        AddBranches(id);
        break;
      case 3:
        AddLoop(id);
        break;
      default:
        values_.push_back(Op("sum" + id, "Sub", {Pick(), Pick()}));
        values_.push_back(Op("calm" + id, "Tanh", {values_.back()}));
    }
  }

  void AddBranches(const std::string& id) {
    Op("switch" + id, "Switch", {Pick(), "pred"});
    Op("off" + id, "Sigmoid", {"switch" + id + ":0"});
    Op("on" + id, "Tanh", {"switch" + id + ":1"});
    values_.push_back(graph_.Merge("merge" + id, kFloat, {"off" + id, "on" + id}, 2));
  }

  // Applies MatMul and Tanh a few times.
  void AddLoop(const std::string& id) {
    const std::string f = "loop" + id, i32 = f + "/";
    const DType kInt = DType::kInt32;
    graph_.Int(i32 + "zero", 0);
    graph_.Enter(i32 + "i", kInt, {i32 + "zero"}, f);
    graph_.Enter(i32 + "x", kFloat, {Pick()}, f);
    graph_.Enter(i32 + "w", kFloat, {Pick()}, f, true);
    graph_.Merge(i32 + "i_merge", kInt, {i32 + "i", i32 + "i_next"}, 2);
    graph_.Merge(i32 + "x_merge", kFloat, {i32 + "x", i32 + "x_next"}, 2);
    graph_.Int(i32 + "limit", static_cast<int>(random_() % 4), {"^" + i32 + "i_merge"});
    graph_.Op(i32 + "less", "Less", kInt, {i32 + "i_merge", i32 + "limit"});
    graph_.Add(i32 + "cond", "LoopCond", {i32 + "less"});
    graph_.Op(i32 + "i_switch", "Switch", kInt, {i32 + "i_merge", i32 + "cond"});
    graph_.Op(i32 + "x_switch", "Switch", kFloat, {i32 + "x_merge", i32 + "cond"});
    graph_.Int(i32 + "one", 1, {"^" + i32 + "i_switch"});
    graph_.Op(i32 + "i_add", "Add", kInt, {i32 + "i_switch:1", i32 + "one"});
    Op(i32 + "product", "MatMul", {i32 + "x_switch:1", i32 + "w"});
    Op(i32 + "tanh", "Tanh", {i32 + "product"});
    graph_.Op(i32 + "i_next", "NextIteration", kInt, {i32 + "i_add"});
    graph_.Op(i32 + "x_next", "NextIteration", kFloat, {i32 + "tanh"});
    values_.push_back(graph_.Op(i32 + "exit", "Exit", kFloat, {i32 + "x_switch"}));
  }

  std::mt19937 random_;
  TestGraph graph_;
  std::vector<std::string> values_;
};

TEST(Threads, DoNotChangeResults) {
  const Tensor x = Ramp(64, 64);
  for (uint32_t seed = 0; seed < 12; ++seed) {
    const RandomGraph random(seed);
    TestSession one(random.graph(), WithThreads(1, 2)), three(random.graph(), WithThreads(3, 2));
    for (int step = 0; step < 6; ++step) {  // the first steps are measured on one thread, the later ones share
      const std::vector<Feed> feeds = {{"x", x}, {"pred", MakeScalar(step % 2 == 0)}};
      const auto expected = one.Run(feeds, random.fetches());
      const auto got = three.Run(feeds, random.fetches());
      ASSERT_TRUE(one.status().ok()) << one.status().ToString();
      ASSERT_TRUE(three.status().ok()) << three.status().ToString();
      for (size_t i = 0; i < expected.size(); ++i) {
        EXPECT_TRUE(expected[i].BitwiseEquals(got[i])) << "seed " << seed << ", step " << step << ", fetch " << i;
      }
    }
  }
}

// How many threads worked on a step.
size_t ThreadsOf(Session& session, const std::vector<std::string>& targets) {
  RunOptions options;
  options.trace = true;
  RunMetadata metadata;
  EXPECT_TRUE(session.Run(options, {}, {}, targets, nullptr, &metadata).ok());
  std::set<int32_t> threads;
  for (const NodeStats& node : metadata.step_stats[0].nodes) threads.insert(node.thread);
  return threads.size();
}

TestGraph CheapNodes(std::vector<std::string>* targets) {
  TestGraph graph;
  graph.Const("x", MakeScalar(1.f));
  for (int i = 0; i < 50; ++i) targets->push_back(graph.Op("n" + std::to_string(i), "Tanh", kFloat, {"x"}));
  return graph;
}

// What nodes cost decides. A thread that was interrupted makes a node look dear, so a session has several tries; with a
// sanitizer all nodes are dear.
TEST(Threads, KeepCheapNodesOnOne) {
  std::vector<std::string> targets;
  const TestGraph graph = CheapNodes(&targets);
  const auto keeps = [&] {
    TestSession session(graph, WithThreads(3));
    size_t most = 0;
    for (int step = 0; step < 3; ++step) most = std::max(most, ThreadsOf(*session, targets));
    return most == 1;
  };
  bool kept = false;
  for (int tries = 0; tries < 20 && !kept; ++tries) kept = keeps();
  EXPECT_TRUE(kept);
}

// Nodes that nobody would hand over change hands all the same when that is forced.
TEST(Threads, ShareCheapNodesWhenTheyAreForcedTo) {
  std::vector<std::string> targets;
  SessionOptions options = WithThreads(3);
  options.forced_sharing = 60;
  TestSession forced(CheapNodes(&targets), options);
  size_t threads = 1;
  for (int step = 0; step < 100'000 && threads == 1; ++step) threads = ThreadsOf(*forced, targets);
  EXPECT_GT(threads, 1u);
}

// S3: steps over one plan and one session overlap; their values do not mix.
TEST(Threads, StepsOverlap) {
  TestGraph graph;
  graph.Placeholder("x", kFloat);
  graph.Op("a", "Tanh", kFloat, {"x"});
  graph.Op("b", "MatMul", kFloat, {"a", "x"});
  graph.Op("c", "MatMul", kFloat, {"x", "a"});
  graph.Op("d", "Sub", kFloat, {"b", "c"});
  auto session = NewFastSession(WithThreads(2));
  ASSERT_TRUE(session->Extend(graph.def()).ok());
  std::vector<std::thread> clients;
  clients.reserve(3);
  for (int client = 0; client < 3; ++client) {
    clients.emplace_back([&, client] {
      const Tensor x = Ramp(32 + client, 32 + client);
      Tensor first;
      for (int step = 0; step < 20; ++step) {
        std::vector<Tensor> outputs;
        const std::vector<Feed> feeds = {{"x", x}};
        const Status status = session->Run(feeds, std::vector<std::string>{"d"}, {}, &outputs);
        ASSERT_TRUE(status.ok()) << status.ToString();
        if (step == 0) first = outputs[0];
        EXPECT_TRUE(first.BitwiseEquals(outputs[0]));
      }
    });
  }
  for (std::thread& client : clients) client.join();
}

// An endless loop.
TestGraph Endless() {
  TestGraph graph;
  graph.Int("zero", 0);
  graph.Enter("enter", DType::kInt32, {"zero"}, "loop");
  graph.Merge("merge", DType::kInt32, {"enter", "next"}, 2);
  graph.Const("yes", MakeScalar(true), {"^merge"});
  graph.Add("cond", "LoopCond", {"yes"});
  graph.Op("switch", "Switch", DType::kInt32, {"merge", "cond"});
  graph.Op("next", "NextIteration", DType::kInt32, {"switch:1"});
  graph.Op("exit", "Exit", DType::kInt32, {"switch"});
  return graph;
}

// S4.
TEST(Threads, ATimeoutEndsAStep) {
  TestSession session(Endless());
  RunOptions options;
  options.timeout_ms = 20;
  std::vector<Tensor> outputs;
  const std::vector<std::string> fetches = {"exit"};
  EXPECT_EQ(session->Run(options, {}, fetches, {}, &outputs, nullptr).code(), Code::kDeadlineExceeded);
  EXPECT_EQ(session->Run(options, {}, fetches, {}, &outputs, nullptr).code(), Code::kDeadlineExceeded);
}

// S2: Close ends the steps that run.
TEST(Threads, CloseCancelsRunningSteps) {
  TestSession session(Endless());
  std::atomic<bool> started{false};
  Status status;
  std::thread client([&] {
    std::vector<Tensor> outputs;
    started = true;
    status = session->Run({}, std::vector<std::string>{"exit"}, {}, &outputs);
  });
  while (!started) std::this_thread::yield();
  EXPECT_TRUE(session->Close().ok());
  client.join();
  EXPECT_EQ(status.code(), Code::kCancelled);
}

// X9: an error ends the step also when several threads work on it, and the next step is sound.
TEST(Threads, AnErrorEndsAStep) {
  TestGraph graph;
  graph.Placeholder("x", kFloat);
  std::vector<std::string> targets;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "n" + std::to_string(i);
    graph.Op(name, "MatMul", kFloat, {"x", "x"});
    targets.push_back(graph.Op(name + "t", "Tanh", kFloat, {name}));
  }
  for (const int threads : {1, 3}) {
    TestSession session(graph, WithThreads(threads));
    for (int step = 0; step < 10; ++step) {
      const bool fails = step % 3 == 2;
      EXPECT_EQ(session.Try({{"x", fails ? Ramp(48, 47) : Ramp(48, 48)}}, {}, targets),
                fails ? Code::kInvalidArgument : Code::kOk);
    }
  }
}

// RunMetadata names what ran; nothing is recorded unless it was asked for.
TEST(Threads, TracesNameNodesAndDevices) {
  TestGraph graph;
  graph.Placeholder("x", kFloat);
  graph.Op("a", "Tanh", kFloat, {"x"});
  TestSession session(graph);
  RunOptions options;
  options.trace = true;
  RunMetadata metadata;
  std::vector<Tensor> outputs;
  const std::vector<Feed> feeds = {{"x", Ramp(4, 4)}};
  ASSERT_TRUE(session->Run(options, feeds, std::vector<std::string>{"a"}, {}, &outputs, &metadata).ok());
  ASSERT_EQ(metadata.step_stats.size(), 1u);
  EXPECT_THAT(metadata.step_stats[0].device, testing::HasSubstr("CPU:0"));
  ASSERT_EQ(metadata.step_stats[0].nodes.size(), 1u);
  EXPECT_EQ(metadata.step_stats[0].nodes[0].node, "a");
  EXPECT_EQ(metadata.step_stats[0].nodes[0].op, "Tanh");
  EXPECT_LE(metadata.step_stats[0].nodes[0].start_ns, metadata.step_stats[0].nodes[0].end_ns);
}

}  // namespace
}  // namespace plumb::fast
