// A graph for each op whose row draws no large inputs, written so that TensorFlow takes it too: here those on files,
// logs, summaries, and what travels between devices; the others in the files that FamilyGraphs() names.
#include "bench/graphs/named.h"
#include "spec/files/file_system.h"

namespace plumb::bench {
namespace {

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
  std::vector<BenchGraph> rows = {Writing(folder),
                                  Reading(folder),
                                  Matching(folder),
                                  Logging(),
                                  LoggingText(),
                                  Summarising("HistogramSummary", {1 << 18}, 1),
                                  Summarising("ImageSummary", {3, 128, 128, 3}, 1, {{"T", DType::kFloat}}),
                                  Sounding(),
                                  Summarising("ScalarSummary", {}, 1),
                                  Merging(),
                                  Sending()};
  for (std::vector<BenchGraph>& more :
       std::vector{CheckpointGraphs(folder), FunctionGraphs(), ParsingGraphs(folder), SparseGraphs(), ArrayGraphs(),
                   TextGraphs(), CodecGraphs(), QueueGraphs(), StagingGraphs(), TableGraphs(), AccumulatorGraphs(),
                   TensorArrayGraphs(), ReaderGraphs(folder), EventGraphs(folder), RandomGraphs(folder)}) {
    std::move(more.begin(), more.end(), std::back_inserter(rows));
  }
  return rows;
}

}  // namespace plumb::bench
