// What a step costs besides its arithmetic, and training steps of the models: nanoseconds per node, iteration or step,
// at one, two and four threads.
#include <benchmark/benchmark.h>

#include <random>
#include <thread>

#include "backends/backends.h"
#include "bench/check.h"
#include "bench/graphs/graphs.h"

namespace plumb::bench {
namespace {

constexpr int kStepsEach = 20;         // of a client, so that starting its thread does not count
constexpr int kOneMicrosecond = 1024;  // elements of a Tanh that takes about that long

Tensor RandomFeed(const FeedShape& feed) {
  std::mt19937 random(1);
  Tensor tensor(feed.dtype, Shape(std::span<const int64_t>(feed.dims)));
  std::uniform_real_distribution<double> values(feed.low, feed.high);
  if (feed.dtype == DType::kFloat) {
    for (float& value : tensor.mutable_data<float>()) value = static_cast<float>(values(random));
  } else {
    for (int32_t& value : tensor.mutable_data<int32_t>()) value = static_cast<int32_t>(values(random));
  }
  return tensor;
}

// A session with the graph and a handle of its step.
struct Step {
  Step(const BenchGraph& graph, int threads, bool optimize) {
    SessionOptions options;
    options.threads = threads;
    options.optimize = optimize;
    session = OpenSession("cpu", options);
    Check(session->Extend(graph.graph));
    std::vector<Tensor> outputs;
    std::vector<std::string> names;
    if (!graph.inits.empty()) Check(session->Run({}, {}, graph.inits, &outputs));
    for (const FeedShape& feed : graph.feeds) {
      names.push_back(feed.name);
      feeds.push_back(RandomFeed(feed));
    }
    Check(session->MakeCallable(names, graph.fetches, graph.targets, &callable));
    for (int i = 0; i < 3; ++i) Check(callable->Run(feeds, &outputs));
  }
  std::unique_ptr<Session> session;
  std::unique_ptr<Session::Callable> callable;
  std::vector<Tensor> feeds;
};

// Repeats the graph's step; "each" is the time of one of its items.
void Repeat(benchmark::State& state, const BenchGraph& graph, bool optimize) {
  const Step step(graph, static_cast<int>(state.range(0)), optimize);
  std::vector<Tensor> outputs;
  for (auto _ : state) Check(step.callable->Run(step.feeds, &outputs));
  const double items = static_cast<double>(state.iterations()) * graph.items;
  state.counters["each"] = benchmark::Counter(items, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Several clients run the same step of one session at once; "each" is the time of one item, all clients together.
void RepeatAtOnce(benchmark::State& state, const BenchGraph& graph) {
  const auto clients = static_cast<int>(state.range(1));
  const Step step(graph, static_cast<int>(state.range(0)), /*optimize=*/false);
  for (auto _ : state) {
    std::vector<std::thread> others;
    for (int client = 0; client < clients; ++client) {
      others.emplace_back([&] {
        std::vector<Tensor> outputs;
        for (int i = 0; i < kStepsEach; ++i) Check(step.callable->Run(step.feeds, &outputs));
      });
    }
    for (std::thread& other : others) other.join();
  }
  const double items = static_cast<double>(state.iterations()) * graph.items * clients * kStepsEach;
  state.counters["each"] = benchmark::Counter(items, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void RegisterAtOnce(const BenchGraph& graph) {
  benchmark::RegisterBenchmark(("at_once/" + graph.name).c_str(),
                               [graph](benchmark::State& state) { RepeatAtOnce(state, graph); })
      ->ArgNames({"threads", "clients"})
      ->ArgsProduct({{1, 2, 4}, {1, 2, 4}})
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

void Register(const BenchGraph& graph, bool optimize) {
  benchmark::RegisterBenchmark(graph.name.c_str(),
                               [graph, optimize](benchmark::State& state) { Repeat(state, graph, optimize); })
      ->ArgName("threads")
      ->Arg(1)
      ->Arg(2)
      ->Arg(4)
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}

// Graph optimisation would leave nothing of the executor's rows.
const bool kRegistered = [] {
  for (const BenchGraph& graph : {NoOpChain(2000), ScalarAddChain(2000), WideAdds(2000), FanOut(2000), WhileLoop(1000),
                                  NullStep(), NullNodes(16, 1024), NullNodes(32, 8192), NullNodes(1024, 16),
                                  NullNodes(8192, 32), NullNodes(1024, 1024), SquareMatMul(512)}) {
    Register(graph, /*optimize=*/false);
  }
  for (const int elements : {kOneMicrosecond, 5 * kOneMicrosecond, 20 * kOneMicrosecond, 100 * kOneMicrosecond}) {
    Register(ParallelChains(64, 8, elements), /*optimize=*/false);
    Register(ParallelChains(2, 256, elements), /*optimize=*/false);
    RegisterAtOnce(ParallelChains(8, 8, elements));
  }
  for (const BenchGraph& graph : {MlpStep(), LeNetStep(), LstmStep()}) Register(graph, /*optimize=*/true);
  return true;
}();

}  // namespace
}  // namespace plumb::bench
