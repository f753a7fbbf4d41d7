// A graph for each op whose family draws no large inputs: files and checkpoints, calls of functions, logs, summaries,
// what travels between devices. They are written so that TensorFlow takes them too. (Its wheel has no kernels of
// trees.) Those that read texts and messages are in parsing_graphs.cc.
#include "bench/graphs/named.h"
#include "client/function.h"
#include "spec/files/file_system.h"

namespace plumb::bench {
namespace {

Output Fed(Scope& scope, BenchGraph* bench, DType dtype, std::vector<int64_t> dims, double low, double high) {
  const Output fed = ops::Placeholder(scope, dtype, {.shape = PartialShape(dims)});
  bench->feeds.push_back({fed.name(), dtype, low, high, std::move(dims)});
  return fed;
}

// Variables' worth of numbers, and what a checkpoint calls them.
struct Saved {
  std::vector<Output> tensors;
  std::vector<std::string> names;
  std::vector<DType> types;
};
Saved FourMegabytes(Scope& scope) {
  constexpr int kTensors = 16;
  constexpr int64_t kElements = 1 << 16;
  Saved saved;
  for (int i = 0; i < kTensors; ++i) {
    saved.tensors.push_back(Constant(scope, Zeros(DType::kFloat, {kElements})));
    saved.names.push_back(Str("tensor", i));
    saved.types.push_back(DType::kFloat);
  }
  return saved;
}

NodeId Save(Scope& scope, const std::string& path, const Saved& saved) {
  std::vector<Output> inputs = {Text(scope, path), Constant(scope, Texts(saved.names)),
                                Constant(scope, Texts(std::vector<std::string>(saved.names.size())))};
  inputs.insert(inputs.end(), saved.tensors.begin(), saved.tensors.end());
  return scope.Add("SaveV2", inputs, {{"dtypes", saved.types}});
}

BenchGraph Saving(const std::string& folder) {
  Scope scope;
  return Named("SaveV2", "checkpoint", scope, Save(scope, folder + "/saved", FourMegabytes(scope)));
}

BenchGraph Restoring(const std::string& folder) {
  Scope scope;
  const Saved saved = FourMegabytes(scope);
  const NodeId save = Save(scope, folder + "/restored", saved);
  const NodeId restore = scope.Add("RestoreV2",
                                   {Text(scope, folder + "/restored"), Constant(scope, Texts(saved.names)),
                                    Constant(scope, Texts(std::vector<std::string>(saved.names.size())))},
                                   {{"dtypes", saved.types}});
  BenchGraph bench = Named("RestoreV2", "checkpoint", scope, restore);
  bench.inits = {scope.NameOf(save)};
  return bench;
}

const std::string& Megabyte() {
  static const std::string megabyte(1 << 20, 'x');
  return megabyte;
}

BenchGraph Writing(const std::string& folder) {
  Scope scope;
  const NodeId write = scope.Add("WriteFile", {Text(scope, folder + "/written"), Text(scope, Megabyte())});
  return Named("WriteFile", "file", scope, write);
}

BenchGraph Reading(const std::string& folder) {
  Files().Write(folder + "/read", Megabyte());
  Scope scope;
  return Named("ReadFile", "file", scope, scope.Add("ReadFile", {Text(scope, folder + "/read")}));
}

BenchGraph Matching(const std::string& folder) {
  Files().MakeFolders(folder + "/many");
  for (int i = 0; i < kCalls; ++i) Files().Write(Str(folder, "/many/", i), "");
  Scope scope;
  return Named("MatchingFiles", "file", scope, scope.Add("MatchingFiles", {Text(scope, folder + "/many/*7*")}));
}

FunctionRef PlusOne(Scope& scope) {
  return DefineFunction(scope, "PlusOne", {{DType::kFloat, PartialShape(Shape())}},
                        [](Scope& body, const std::vector<Output>& args) -> std::vector<Output> {
                          return {ops::Add(body, args[0], Constant(body, 1.0f))};
                        });
}

BenchGraph Calling(const std::string& op) {
  BenchGraph fed;
  Scope scope;
  const FunctionRef function = PlusOne(scope);
  const std::vector<DType> types = {DType::kFloat};
  Output x = Fed(scope, &fed, DType::kFloat, {}, 0, 1);
  for (int i = 0; i < kCalls; ++i) x = scope.Call(op, {x}, {{"Tin", types}, {"Tout", types}, {"f", function}});
  BenchGraph bench = Named(op, "function", scope, x.node(), kCalls);
  bench.feeds = fed.feeds;
  return bench;
}

BenchGraph Branching() {
  BenchGraph fed;
  Scope scope;
  const FunctionRef function = PlusOne(scope);
  Output x = Fed(scope, &fed, DType::kFloat, {}, 0, 1);
  const Output condition = ops::Less(scope, x, Constant(scope, 0.5f));
  for (int i = 0; i < kCalls; ++i) x = CallIf(scope, condition, function, function, {x})[0];
  BenchGraph bench = Named("If", "function", scope, x.node(), kCalls);
  bench.feeds = fed.feeds;
  return bench;
}

BenchGraph Looping() {
  BenchGraph fed;
  Scope scope;
  const FunctionRef goes_on = DefineFunction(scope, "GoesOn", {{DType::kFloat, PartialShape(Shape())}},
                                             [](Scope& body, const std::vector<Output>& args) -> std::vector<Output> {
                                               const Output limit = Constant(body, static_cast<float>(kCalls));
                                               return {ops::Less(body, args[0], limit)};
                                             });
  const Output x = Fed(scope, &fed, DType::kFloat, {}, 0, 1);
  BenchGraph bench =
      Named("While", "function", scope, CallWhile(scope, goes_on, PlusOne(scope), {x})[0].node(), kCalls);
  bench.feeds = fed.feeds;
  return bench;
}

// To the standard error stream.
BenchGraph Logging() {
  BenchGraph fed;
  Scope scope;
  Output x = Fed(scope, &fed, DType::kFloat, {1000}, 0, 1);
  for (int i = 0; i < kCalls; ++i) {
    x = scope.Call("Print", {x, x}, {{"U", std::vector<DType>{DType::kFloat}}, {"message", "x: "}, {"summarize", 10}});
  }
  BenchGraph bench = Named("Print", "logging", scope, x.node(), kCalls);
  bench.feeds = fed.feeds;
  return bench;
}

BenchGraph LoggingText() {
  Scope scope;
  std::vector<NodeId> prints;
  const Output text = Text(scope, std::string(200, 'x'));
  for (int i = 0; i < kCalls; ++i) prints.push_back(scope.Add("PrintV2", {text}));
  return Named("PrintV2", "logging", scope, scope.Group(prints), kCalls);
}

BenchGraph Summarising(const std::string& op, std::vector<int64_t> dims, double high, AttrMap attrs = {}) {
  BenchGraph fed;
  Scope scope;
  const Output x = Fed(scope, &fed, DType::kFloat, std::move(dims), 0, high);
  const NodeId summary = scope.Add(op, {Text(scope, "tag"), x}, std::move(attrs));
  BenchGraph bench = Named(op, "summary", scope, summary);
  bench.feeds = fed.feeds;
  return bench;
}

BenchGraph Sounding() {
  BenchGraph fed;
  Scope scope;
  const Output x = Fed(scope, &fed, DType::kFloat, {3, 44100}, -1, 1);
  const NodeId summary = scope.Add("AudioSummaryV2", {Text(scope, "tag"), x, Constant(scope, 44100.0f)});
  BenchGraph bench = Named("AudioSummaryV2", "summary", scope, summary);
  bench.feeds = fed.feeds;
  return bench;
}

BenchGraph Merging() {
  BenchGraph fed;
  Scope scope;
  const Output x = Fed(scope, &fed, DType::kFloat, {}, 0, 1);
  std::vector<Output> summaries;
  for (int i = 0; i < kCalls; ++i) summaries.push_back(scope.Call("ScalarSummary", {Text(scope, Str("tag", i)), x}));
  BenchGraph bench = Named("MergeSummary", "summary", scope, scope.Call("MergeSummary", summaries).node(), kCalls);
  bench.feeds = fed.feeds;
  return bench;
}

// Back and forth between two CPUs: each addition gets its argument from the other one.
BenchGraph Sending() {
  BenchGraph fed;
  Scope scope;
  Output x = Fed(scope, &fed, DType::kFloat, {1000}, 0, 1);
  for (int i = 0; i < kCalls; ++i) {
    const auto there = scope.On(Str("/device:CPU:", i % 2));
    x = ops::Add(scope, x, x);
  }
  BenchGraph bench = Named("_Send", "transfer", scope, x.node(), kCalls);
  bench.feeds = fed.feeds;
  bench.cpus = 2;
  return bench;
}

}  // namespace

std::vector<BenchGraph> FamilyGraphs(const std::string& folder) {
  Files().MakeFolders(folder);
  std::vector<BenchGraph> rows = {Saving(folder),
                                  Restoring(folder),
                                  Writing(folder),
                                  Reading(folder),
                                  Matching(folder),
                                  Calling("PartitionedCall"),
                                  Calling("StatefulPartitionedCall"),
                                  Branching(),
                                  Looping(),
                                  Logging(),
                                  LoggingText(),
                                  Summarising("HistogramSummary", {1 << 18}, 1),
                                  Summarising("ImageSummary", {3, 128, 128, 3}, 1, {{"T", DType::kFloat}}),
                                  Sounding(),
                                  Summarising("ScalarSummary", {}, 1),
                                  Merging(),
                                  Sending()};
  for (std::vector<BenchGraph>& more :
       std::vector{ParsingGraphs(folder), TextGraphs(), CodecGraphs(), QueueGraphs(), StagingGraphs(), TableGraphs(),
                   AccumulatorGraphs(), TensorArrayGraphs(), ReaderGraphs(folder), EventGraphs(folder),
                   RandomGraphs(folder)}) {
    std::move(more.begin(), more.end(), std::back_inserter(rows));
  }
  return rows;
}

}  // namespace plumb::bench
