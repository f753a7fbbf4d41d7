// Laws of ranks: wherever the nodes of a graph lie among the tasks of a cluster, it gives what the reference allows.
#include <rapidcheck.h>

#include "client/gradients.h"
#include "client/scope.h"
#include "conformance/compare/oracle.h"
#include "mpi/session/cluster_testing.h"
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

// Asks for a task, a CPU of it, or nothing, node by node.
GraphDef SpreadOverTasks(GraphDef graph, Tape& tape, int ranks) {
  for (NodeDef& node : graph.nodes) {
    const int task = tape.Below(ranks + 1);
    if (task == ranks) continue;
    node.device = Str("/job:worker/task:", task, tape.Chance(30) ? "/device:CPU:1" : "");
  }
  return graph;
}

// One to four ranks; any of them has the client.
void CheckSpread(Tape& tape, const RandomCase& random_case) {
  const int ranks = 1 + tape.Below(4);
  const GraphDef placed = SpreadOverTasks(random_case.graph, tape, ranks);
  dist::TestCluster cluster(ranks, "", AnyThreadCount(tape), 2);
  const auto session =
      cluster.Open(tape.Below(ranks), {.allow_soft_placement = true, .forced_sharing = AnyPercent(tape)});
  const Status loaded = session->Extend(placed);
  const ToldIfBroken told([&] { return Describe({placed, random_case.feeds, random_case.fetches, {}}); });
  const auto run = [&](std::vector<Tensor>* values) {
    if (!loaded.ok()) return loaded;
    return session->Run(kWithLimit, random_case.feeds, random_case.fetches, random_case.targets, values, nullptr);
  };
  CheckSteps(random_case, run, DeviceFailures::kNone);
}

PLUMB_LAW(Ranks, AcyclicGraphsGiveWhatTheReferenceAllows) { CheckSpread(tape, RandomAcyclic(tape, {})); }

PLUMB_LAW(Ranks, ConditionalsAndLoopsGiveWhatTheReferenceAllows) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(scope, tape, {});
  CheckSpread(tape, CaseOf(scope, program, program.results));
}

PLUMB_LAW(Ranks, GradientsOfLoopsGiveWhatTheReferenceAllows) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(
      scope, tape, {.dtype = DType::kDouble, .max_depth = 2, .functions = Smoothness::kDifferentiable});
  CheckSpread(tape, CaseOf(scope, program, DenseGradients({program.results[0]}, program.inputs)));
}

// Calls lie anywhere; bodies ask for nothing.
PLUMB_LAW(Ranks, FunctionsGiveWhatTheReferenceAllows) {
  RandomCase random_case = RandomAcyclic(tape, {});
  RC_PRE(AsksForNothingFed(random_case));
  CheckSpread(tape, InFunction(tape, random_case, CallPlaces::kAnywhere));
}

// R31, R36, W24, F28: an alias stays one on its rank, and across ranks it is read where it is sent.
PLUMB_LAW(Ranks, AliasesAreReadWhereTheyAreSent) {
  RandomSession session = RandomAliases(tape);
  session.graph = PinToDevices(std::move(session.graph), tape);
  const ToldIfBroken told([&] { return Describe(session); });
  const SessionOptions options = OnAllDevices(AnyThreadCount(tape), AnyPercent(tape), 1);
  conformance::Oracle oracle(session.graph, conformance::Limits::kSound, options);
  for (NodeDef& node : session.graph.nodes) {
    node.device = node.device == "/cpu:0" ? "/job:worker/task:0" : "/job:worker/task:1";
  }
  const int ranks = 2 + tape.Below(2);
  dist::TestCluster cluster(ranks, "", options.threads);
  const auto ranked = cluster.Open(tape.Below(ranks), {.forced_sharing = options.forced_sharing});
  CheckToTheBit(session, *ranked, oracle);
}

}  // namespace
}  // namespace plumb::property
