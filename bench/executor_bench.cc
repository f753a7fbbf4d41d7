// What the executor costs besides the work: nanoseconds per node at one and two threads, per step, per iteration.
#include <benchmark/benchmark.h>

#include <random>
#include <string>
#include <vector>

#include "backends/backends.h"
#include "spec/graph/graph_def.h"

namespace plumb {
namespace {

GraphDef EmptyGraph() { return {{}, {kGraphVersion, 0, {}}, ""}; }

void AddNode(GraphDef& graph, std::string name, std::string op, std::vector<std::string> inputs, AttrMap attrs = {}) {
  graph.nodes.push_back({std::move(name), std::move(op), std::move(inputs), "", std::move(attrs), ""});
}

std::string NodeName(int i) { return "n" + std::to_string(i); }

// A step that is repeated: `per_step` things are counted for each.
class Step {
 public:
  Step(const GraphDef& graph, int threads, std::vector<std::string> feeds, std::vector<std::string> fetches,
       std::vector<std::string> targets) {
    SessionOptions options;
    options.threads = threads;
    options.optimize = false;
    session_ = OpenSession("cpu", options);
    Check(session_->Extend(graph));
    Check(session_->MakeCallable(feeds, fetches, targets, &callable_));
  }

  void Repeat(benchmark::State& state, int64_t per_step, std::span<const Tensor> feeds = {}) {
    std::vector<Tensor> outputs;
    for (int i = 0; i < 8; ++i) Check(callable_->Run(feeds, &outputs));
    for (auto _ : state) Check(callable_->Run(feeds, &outputs));
    state.SetItemsProcessed(state.iterations() * per_step);
    state.counters["each"] = benchmark::Counter(static_cast<double>(state.iterations() * per_step),
                                                benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  }

 private:
  static void Check(const Status& status) {
    if (!status.ok()) throw Error(status);
  }
  std::unique_ptr<Session> session_;
  std::unique_ptr<Session::Callable> callable_;
};

void NoOpChain(benchmark::State& state) {
  constexpr int kNodes = 2000;
  GraphDef graph = EmptyGraph();
  for (int i = 0; i < kNodes; ++i) {
    AddNode(graph, NodeName(i), "NoOp", i == 0 ? std::vector<std::string>{} : std::vector{"^" + NodeName(i - 1)});
  }
  Step(graph, state.range(0), {}, {}, {NodeName(kNodes - 1)}).Repeat(state, kNodes);
}
BENCHMARK(NoOpChain)->ArgName("threads")->Arg(1)->Arg(2);

// One source, a thousand successors, one sink.
void NoOpFan(benchmark::State& state) {
  constexpr int kWidth = 1000;
  GraphDef graph = EmptyGraph();
  AddNode(graph, "source", "NoOp", {});
  std::vector<std::string> all;
  for (int i = 0; i < kWidth; ++i) {
    AddNode(graph, NodeName(i), "NoOp", {"^source"});
    all.push_back("^" + NodeName(i));
  }
  AddNode(graph, "sink", "NoOp", all);
  Step(graph, state.range(0), {}, {}, {"sink"}).Repeat(state, kWidth + 2);
}
BENCHMARK(NoOpFan)->ArgName("threads")->Arg(1)->Arg(2);

// TensorFlow's BM_executor: a random graph of width × depth layers, each node after a few of the layer before.
void NullNodes(benchmark::State& state) {
  const int width = static_cast<int>(state.range(1)), depth = static_cast<int>(state.range(2));
  GraphDef graph = EmptyGraph();
  std::mt19937 random(1);
  std::vector<std::string> before, targets;
  int count = 0;
  for (int layer = 0; layer < depth; ++layer) {
    std::vector<std::string> names;
    for (int i = 0; i < width; ++i) {
      std::vector<std::string> controls;
      for (size_t k = 0; k < 3 && !before.empty(); ++k) controls.push_back("^" + before[random() % before.size()]);
      names.push_back(NodeName(count++));
      AddNode(graph, names.back(), "NoOp", controls);
    }
    before = names;
    targets.insert(targets.end(), names.begin(), names.end());
  }
  Step(graph, state.range(0), {}, {}, targets).Repeat(state, count);
}
BENCHMARK(NullNodes)
    ->ArgNames({"threads", "width", "depth"})
    ->ArgsProduct({{1, 2}, {16, 32}, {64}})
    ->ArgsProduct({{1, 2}, {1024}, {16}});

void ScalarAddChain(benchmark::State& state) {
  constexpr int kNodes = 2000;
  GraphDef graph = EmptyGraph();
  AddNode(graph, "one", "Const", {}, {{"value", MakeScalar(1.0f)}, {"dtype", DType::kFloat}});
  AddNode(graph, "x", "Placeholder", {}, {{"dtype", DType::kFloat}});
  for (int i = 0; i < kNodes; ++i) {
    AddNode(graph, NodeName(i), "Add", {i == 0 ? "x" : NodeName(i - 1), "one"}, {{"T", DType::kFloat}});
  }
  const Tensor zero = MakeScalar(0.0f);
  Step(graph, state.range(0), {"x"}, {NodeName(kNodes - 1)}, {}).Repeat(state, kNodes, {&zero, 1});
}
BENCHMARK(ScalarAddChain)->ArgName("threads")->Arg(1)->Arg(2);

void WideAdds(benchmark::State& state) {
  constexpr int kNodes = 2000;
  GraphDef graph = EmptyGraph();
  AddNode(graph, "one", "Const", {}, {{"value", MakeScalar(1.0f)}, {"dtype", DType::kFloat}});
  AddNode(graph, "x", "Placeholder", {}, {{"dtype", DType::kFloat}});
  std::vector<std::string> targets;
  for (int i = 0; i < kNodes; ++i) {
    AddNode(graph, NodeName(i), "Add", {"x", "one"}, {{"T", DType::kFloat}});
    targets.push_back(NodeName(i));
  }
  const Tensor zero = MakeScalar(0.0f);
  Step(graph, state.range(0), {"x"}, {}, targets).Repeat(state, kNodes, {&zero, 1});
}
BENCHMARK(WideAdds)->ArgName("threads")->Arg(1)->Arg(2);

// Feed, one Add, fetch.
void NullStep(benchmark::State& state) {
  GraphDef graph = EmptyGraph();
  AddNode(graph, "one", "Const", {}, {{"value", MakeScalar(1.0f)}, {"dtype", DType::kFloat}});
  AddNode(graph, "x", "Placeholder", {}, {{"dtype", DType::kFloat}});
  AddNode(graph, "y", "Add", {"x", "one"}, {{"T", DType::kFloat}});
  const Tensor zero = MakeScalar(0.0f);
  Step(graph, state.range(0), {"x"}, {"y"}, {}).Repeat(state, 1, {&zero, 1});
}
BENCHMARK(NullStep)->ArgName("threads")->Arg(1)->Arg(2);

// while (i < n) i = i + 1, in Switch and Merge; per iteration.
void WhileLoop(benchmark::State& state) {
  constexpr int kIterations = 10000;
  const AttrMap type = {{"T", DType::kInt32}};
  const auto constant = [](int32_t value) { return AttrMap{{"value", MakeScalar(value)}, {"dtype", DType::kInt32}}; };
  GraphDef graph = EmptyGraph();
  AddNode(graph, "zero", "Const", {}, constant(0));
  AddNode(graph, "enter", "Enter", {"zero"}, {{"T", DType::kInt32}, {"frame_name", "loop"}});
  AddNode(graph, "merge", "Merge", {"enter", "next"}, {{"T", DType::kInt32}, {"N", 2}});
  AddNode(graph, "limit", "Const", {"^merge"}, constant(kIterations));
  AddNode(graph, "less", "Less", {"merge", "limit"}, type);
  AddNode(graph, "cond", "LoopCond", {"less"});
  AddNode(graph, "switch", "Switch", {"merge", "cond"}, type);
  AddNode(graph, "body", "Identity", {"switch:1"}, type);
  AddNode(graph, "one", "Const", {"^body"}, constant(1));
  AddNode(graph, "add", "Add", {"body", "one"}, type);
  AddNode(graph, "next", "NextIteration", {"add"}, type);
  AddNode(graph, "exit", "Exit", {"switch"}, type);
  Step(graph, state.range(0), {}, {"exit"}, {}).Repeat(state, kIterations);
}
BENCHMARK(WhileLoop)->ArgName("threads")->Arg(1)->Arg(2);

}  // namespace
}  // namespace plumb
