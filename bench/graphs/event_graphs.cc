// A graph for each op that writes events into a file, where they wait for ten others, or for FlushSummaryWriter.
#include "bench/graphs/named.h"
#include "spec/graph/proto_io.h"

namespace plumb::bench {
namespace {

// Makes the writer of an op, before the first step.
struct Writer {
  Output handle;
  NodeId made;
};
Writer MakeWriter(Scope& scope, const std::string& folder) {
  const Output handle = scope.Call("SummaryWriter", {}, {{"shared_name", std::string("writer")}});
  const NodeId made = scope.Add(
      "CreateSummaryFileWriter",
      {handle, Text(scope, folder + "/events"), Constant(scope, 10), Constant(scope, 1'000'000), Text(scope, ".v2")});
  return {handle, made};
}

// The op with what it is given behind the writer, and the number of the step unless the event has its own.
BenchGraph WritingEvents(const std::string& op, const std::string& folder, int calls,
                         const std::function<std::vector<Output>(Scope&)>& given, const AttrMap& attrs = {}) {
  Scope scope;
  const Writer writer = MakeWriter(scope, folder);
  std::vector<Output> inputs = {writer.handle};
  for (const Output& input : given(scope)) inputs.push_back(input);
  std::vector<NodeId> nodes;
  for (int i = 0; i < calls; ++i) nodes.push_back(scope.Add(op, inputs, attrs));
  BenchGraph bench = Named(op, "summary", scope, scope.Group(nodes), calls);
  bench.inits = {scope.NameOf(writer.made)};
  return bench;
}

Output Step(Scope& scope) { return Constant<int64_t>(scope, 7); }
Output Tag(Scope& scope) { return Text(scope, "tag"); }

using Inputs = std::vector<Output>;

Inputs OfBytes(Scope& scope, const std::string& bytes) { return {Step(scope), Text(scope, bytes)}; }

std::string Graph() {
  Scope scope;
  Floats(scope, {kCalls});
  return SerializeGraphDef(scope.ToGraphDef());
}

}  // namespace

std::vector<BenchGraph> EventGraphs(const std::string& folder) {
  const std::string summary("\x0a\x08\x0a\x01\x61\x15\x00\x00\x80\xbf", 10), event("\x10\x09", 2);
  return {WritingEvents("WriteScalarSummary", folder, kCalls,
                        [](Scope& s) {
                          return Inputs{Step(s), Tag(s), Constant(s, 0.5f)};
                        }),
          WritingEvents("WriteHistogramSummary", folder, 1,
                        [](Scope& s) {
                          return Inputs{Step(s), Tag(s), Floats(s, {1 << 16})};
                        }),
          WritingEvents("WriteImageSummary", folder, 1,
                        [](Scope& s) {
                          const Output bad = Constant(s, MakeVector<uint8_t>({255, 0, 0, 255}));
                          return Inputs{Step(s), Tag(s), Floats(s, {3, 128, 128, 3}), bad};
                        }),
          WritingEvents("WriteAudioSummary", folder, 1,
                        [](Scope& s) {
                          return Inputs{Step(s), Tag(s), Floats(s, {3, 44100}), Constant(s, 44100.0f)};
                        }),
          WritingEvents("WriteSummary", folder, kCalls,
                        [](Scope& s) {
                          return Inputs{Step(s), Floats(s, {100}), Tag(s), Text(s, "")};
                        }),
          WritingEvents("WriteRawProtoSummary", folder, kCalls, [&](Scope& s) { return OfBytes(s, summary); }),
          WritingEvents("WriteGraphSummary", folder, kCalls, [](Scope& s) { return OfBytes(s, Graph()); }),
          WritingEvents("ImportEvent", folder, kCalls, [&](Scope& s) { return Inputs{Text(s, event)}; }),
          WritingEvents("FlushSummaryWriter", folder, kCalls, [](Scope&) { return Inputs{}; })};
}

}  // namespace plumb::bench
