// Laws: a function gives what the nodes of its body give where they stand by themselves (clause FN5), in the shapes
// that are known before (FN10).
#include <rapidcheck.h>

#include "backends/backends.h"
#include "client/scope.h"
#include "property-tests/generators/random_calls.h"
#include "property-tests/generators/random_control_flow.h"
#include "property-tests/generators/random_graph.h"
#include "property-tests/law.h"
#include "property-tests/placed_steps.h"
#include "property-tests/threads.h"
#include "spec/graph/graph.h"
#include "spec/validate/shapes.h"

namespace plumb::property {
namespace {

struct Outcome {
  Status status;
  std::vector<Tensor> values;
};

Outcome RunOn(std::string_view backend, const RandomCase& random_case, const SessionOptions& options) {
  const std::unique_ptr<Session> session = OpenSession(backend, options);
  Outcome outcome;
  outcome.status = session->Extend(random_case.graph);
  if (outcome.status.ok()) {
    outcome.status =
        session->Run(kWithLimit, random_case.feeds, random_case.fetches, random_case.targets, &outcome.values, nullptr);
  }
  return outcome;
}

// Shared from the first step on.
SessionOptions OnAnyThreads(Tape& tape) {
  SessionOptions options;
  options.threads = AnyThreadCount(tape);
  options.forced_sharing = AnyPercent(tape);
  return options;
}

// To the bit, for the nodes are the same; but for GPUs, which round otherwise than the host: a call may change which of
// both runs a node.
void CheckSame(Tape& tape, RandomCase plain) {
  RC_PRE(AsksForNothingFed(plain));
  const RandomCase called = InFunction(tape, plain);
  const SessionOptions options = OnAnyThreads(tape);
  const ToldIfBroken told([&] { return TellWithCommands(called); });
  for (const std::string_view backend : BackendNames()) {
    const Outcome expected = RunOn(backend, plain, options), actual = RunOn(backend, called, options);
    RC_LOG() << backend << ": " << expected.status.ToString() << "\ncalled: " << actual.status.ToString() << "\n";
    RC_ASSERT(expected.status.code() == actual.status.code());
    if (!expected.status.ok()) continue;
    RC_ASSERT(expected.values.size() == actual.values.size());
    for (size_t i = 0; i < expected.values.size(); ++i) {
      RC_ASSERT(expected.values[i].shape() == actual.values[i].shape());
      RC_ASSERT(backend.starts_with("gpu") || expected.values[i].BitwiseEquals(actual.values[i]));
    }
  }
}

// FN10: what is known of a call before it runs holds of what it gives.
void CheckShapes(Tape& tape, RandomCase plain) {
  RC_PRE(AsksForNothingFed(plain));
  RandomCase called = InFunction(tape, plain);
  for (NodeDef& node : called.graph.nodes) {
    for (const auto& [name, value] : called.feeds) {
      if (node.name == name) node.attrs["shape"] = PartialShape(value.shape());
    }
  }
  const ToldIfBroken told([&] { return TellWithCommands(called); });
  const Outcome outcome = RunOn("cpu", called, OnAnyThreads(tape));
  if (!outcome.status.ok()) return;
  const Graph graph = Graph::Load(called.graph);
  const std::vector<PartialShape> known = InferGraphShapes(graph)[Index(*graph.Find("call"))];
  bool all = true;
  for (size_t i = 0; i < outcome.values.size(); ++i) {
    RC_LOG() << "call:" << i << " is known as " << known[i].ToString() << "\n";
    RC_ASSERT(known[i].IsCompatibleWith(PartialShape(outcome.values[i].shape())));
    all = all && known[i].IsFullyDefined();
  }
  RC_CLASSIFY(all, "all known");
}

PLUMB_LAW(Functions, HaveTheShapesThatAreKnown) { CheckShapes(tape, RandomAcyclic(tape, {})); }

PLUMB_SLOW_LAW(Functions, GiveWhatTheirNodesGive) { CheckSame(tape, RandomAcyclic(tape, {})); }

RandomCase OfControlFlow(Tape& tape) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(scope, tape, {});
  return CaseOf(scope, program, program.results);
}

PLUMB_SLOW_LAW(Functions, GiveWhatTheirConditionalsAndLoopsGive) { CheckSame(tape, OfControlFlow(tape)); }

PLUMB_LAW(Functions, WithConditionalsAndLoopsHaveTheShapesThatAreKnown) { CheckShapes(tape, OfControlFlow(tape)); }

}  // namespace
}  // namespace plumb::property
