// What a step costs besides its arithmetic, and training steps of the models: nanoseconds per node, iteration or step,
// at one and two threads.
#include <benchmark/benchmark.h>

#include <random>

#include "backends/backends.h"
#include "bench/graphs/graphs.h"

namespace plumb::bench {
namespace {

void Check(const Status& status) {
  if (!status.ok()) throw Error(status);
}

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

// Repeats the graph's step; "each" is the time of one of its items.
void Repeat(benchmark::State& state, const BenchGraph& graph, bool optimize) {
  SessionOptions options;
  options.threads = static_cast<int>(state.range(0));
  options.optimize = optimize;
  const std::unique_ptr<Session> session = OpenSession("cpu", options);
  Check(session->Extend(graph.graph));
  std::vector<Tensor> feeds, outputs;
  std::vector<std::string> names;
  if (!graph.inits.empty()) Check(session->Run({}, {}, graph.inits, &outputs));
  for (const FeedShape& feed : graph.feeds) {
    names.push_back(feed.name);
    feeds.push_back(RandomFeed(feed));
  }
  std::unique_ptr<Session::Callable> callable;
  Check(session->MakeCallable(names, graph.fetches, graph.targets, &callable));
  for (int i = 0; i < 3; ++i) Check(callable->Run(feeds, &outputs));
  for (auto _ : state) Check(callable->Run(feeds, &outputs));
  const double items = static_cast<double>(state.iterations()) * graph.items;
  state.counters["each"] = benchmark::Counter(items, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void Register(const BenchGraph& graph, bool optimize) {
  benchmark::RegisterBenchmark(graph.name.c_str(),
                               [graph, optimize](benchmark::State& state) { Repeat(state, graph, optimize); })
      ->ArgName("threads")
      ->Arg(1)
      ->Arg(2)
      ->UseRealTime();
}

// Graph optimisation would leave nothing of the executor's rows.
const bool kRegistered = [] {
  for (const BenchGraph& graph : {NoOpChain(2000), ScalarAddChain(2000), WideAdds(2000), FanOut(2000), WhileLoop(1000),
                                  NullStep(), NullNodes(16, 1024), NullNodes(32, 8192), NullNodes(1024, 16),
                                  NullNodes(8192, 32), NullNodes(1024, 1024), SquareMatMul(512)}) {
    Register(graph, /*optimize=*/false);
  }
  for (const BenchGraph& graph : {MlpStep(), LeNetStep(), LstmStep()}) Register(graph, /*optimize=*/true);
  return true;
}();

}  // namespace
}  // namespace plumb::bench
