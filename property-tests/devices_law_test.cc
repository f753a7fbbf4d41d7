// Laws of placement: wherever the nodes of a graph lie, on the host and on accelerators, it gives what the reference
// allows. Loops that lie on several devices run through control loops (W26), and values through the rendezvous.
#include <rapidcheck.h>

#include <algorithm>

#include "backends/backends.h"
#include "client/gradients.h"
#include "conformance/compare/oracle.h"
#include "property-tests/generators/placement.h"
#include "property-tests/generators/random_aliases.h"
#include "property-tests/generators/random_calls.h"
#include "property-tests/generators/random_control_flow.h"
#include "property-tests/generators/random_graph.h"
#include "property-tests/law.h"
#include "property-tests/placed_steps.h"
#include "property-tests/threads.h"
#include "property-tests/to_the_bit.h"

namespace plumb::property {
namespace {

std::unique_ptr<Session> OpenOnAllDevices(Tape& tape) {
  const int threads = AnyThreadCount(tape), percent = AnyPercent(tape);
  const SessionOptions options = OnAllDevices(threads, percent, static_cast<uint64_t>(tape.Below(100)));
  return OpenSession("cpu", tape.Chance(50) ? WithGpu(options) : options);
}

void CheckSpread(Tape& tape, RandomCase random_case) {
  random_case.graph = SpreadOverDevices(std::move(random_case.graph), tape);
  CheckPlaced(random_case, *OpenOnAllDevices(tape));
}

PLUMB_LAW(Devices, AcyclicGraphsGiveWhatTheReferenceAllows) { CheckSpread(tape, RandomAcyclic(tape, {})); }

PLUMB_SLOW_LAW(Devices, ConditionalsAndLoopsGiveWhatTheReferenceAllows) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(scope, tape, {});
  CheckSpread(tape, CaseOf(scope, program, program.results));
}

PLUMB_SLOW_LAW(Devices, GradientsOfLoopsGiveWhatTheReferenceAllows) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(
      scope, tape, {.dtype = DType::kDouble, .max_depth = 2, .functions = Smoothness::kDifferentiable});
  const std::vector<Output> gradients = DenseGradients({program.results[0]}, program.inputs);
  CheckSpread(tape, CaseOf(scope, program, gradients));
}

// Callers and the nodes of bodies ask for devices; bodies that are called by reference keep their requests (FN6), and
// calls that recur are compiled when they run (FN9).
PLUMB_SLOW_LAW(Devices, FunctionsGiveWhatTheReferenceAllows) {
  RandomCase random_case = RandomAcyclic(tape, {});
  RC_PRE(AsksForNothingFed(random_case));
  CheckPlaced(InFunction(tape, random_case, CallPlaces::kAnywhere), *OpenOnAllDevices(tape));
}

PLUMB_LAW(Devices, FunctionsWithConditionalsAndLoopsGiveWhatTheReferenceAllows) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(scope, tape, {});
  RandomCase random_case = CaseOf(scope, program, program.results);
  RC_PRE(AsksForNothingFed(random_case));
  CheckPlaced(InFunction(tape, random_case, CallPlaces::kAnywhere), *OpenOnAllDevices(tape));
}

// P1–P4: the feeds come one by one, all that is fetched with the last of them.
Status RunInPieces(Session& session, const RandomCase& random_case, std::vector<Tensor>* values) {
  std::vector<std::string> names;
  for (const Feed& feed : random_case.feeds) names.push_back(feed.first);
  std::string handle;
  Status status = session.PartialRunSetup(names, random_case.fetches, random_case.targets, &handle);
  for (size_t i = 0; i < random_case.feeds.size() && status.ok(); ++i) {
    const bool is_last = i + 1 == random_case.feeds.size();
    const std::vector<Feed> piece = {random_case.feeds[i]};
    status = session.PartialRun(handle, piece, is_last ? random_case.fetches : std::vector<std::string>(), values);
  }
  return status;
}

void CheckInPieces(Tape& tape, RandomCase random_case) {
  std::sort(random_case.fetches.begin(), random_case.fetches.end());
  random_case.fetches.erase(std::unique(random_case.fetches.begin(), random_case.fetches.end()),
                            random_case.fetches.end());
  RC_PRE(AsksForNothingFed(random_case) && !random_case.feeds.empty());
  random_case.graph = SpreadOverDevices(std::move(random_case.graph), tape);
  const std::unique_ptr<Session> session = OpenOnAllDevices(tape);
  const Status loaded = session->Extend(random_case.graph);
  CheckSteps(
      random_case,
      [&](std::vector<Tensor>* values) { return loaded.ok() ? RunInPieces(*session, random_case, values) : loaded; },
      DeviceFailures::kNone);
}

PLUMB_LAW(Devices, StepsInPiecesGiveWhatTheReferenceAllows) { CheckInPieces(tape, RandomAcyclic(tape, {})); }

PLUMB_SLOW_LAW(Devices, ConditionalsAndLoopsInPiecesGiveWhatTheReferenceAllows) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(scope, tape, {});
  CheckInPieces(tape, CaseOf(scope, program, program.results));
}

// Takes a step with what the case feeds and fetches of these nodes; no matter what it answers.
void RunAmong(const std::vector<NodeDef>& nodes, const RandomCase& random_case, Session& session) {
  const auto is_among = [&](const std::string& tensor) {
    const std::string node = tensor.substr(0, tensor.find(':'));
    return std::any_of(nodes.begin(), nodes.end(), [&](const NodeDef& each) { return each.name == node; });
  };
  std::vector<Feed> feeds;
  for (const Feed& feed : random_case.feeds) {
    if (is_among(feed.first)) feeds.push_back(feed);
  }
  std::vector<std::string> fetches;
  std::copy_if(random_case.fetches.begin(), random_case.fetches.end(), std::back_inserter(fetches), is_among);
  std::vector<Tensor> values;
  static_cast<void>(session.Run(kWithLimit, feeds, fetches, {}, &values, nullptr));
}

// V3: nodes are added to a graph that has run. No node of an acyclic graph has an input behind it.
PLUMB_LAW(Devices, GraphsThatGrowGiveWhatTheReferenceAllows) {
  RandomCase random_case = RandomAcyclic(tape, {});
  random_case.graph = SpreadOverDevices(std::move(random_case.graph), tape);
  const std::vector<NodeDef>& nodes = random_case.graph.nodes;
  const size_t size = tape.Below(nodes.size() + 1);
  GraphDef first = random_case.graph, rest = random_case.graph;
  first.nodes.assign(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(size));
  rest.nodes.assign(nodes.begin() + static_cast<std::ptrdiff_t>(size), nodes.end());
  const std::unique_ptr<Session> session = OpenOnAllDevices(tape);
  Status loaded = session->Extend(first);
  if (loaded.ok()) RunAmong(first.nodes, random_case, *session);
  if (loaded.ok()) loaded = session->Extend(rest);
  CheckLoaded(random_case, *session, loaded);
}

// R31, R36, W24: an alias stays one on its device, and across devices it is read where it is sent.
PLUMB_LAW(Devices, AliasesAreReadWhereTheyAreSent) {
  RandomSession session = RandomAliases(tape);
  session.graph = PinToDevices(std::move(session.graph), tape);
  const ToldIfBroken told([&] { return Describe(session); });
  const SessionOptions options =
      OnAllDevices(AnyThreadCount(tape), AnyPercent(tape), static_cast<uint64_t>(tape.Below(100)));
  conformance::Oracle oracle(session.graph, conformance::Limits::kSound, options);
  const auto fast = OpenSession("cpu", options);
  CheckToTheBit(session, *fast, oracle);
}

}  // namespace
}  // namespace plumb::property
