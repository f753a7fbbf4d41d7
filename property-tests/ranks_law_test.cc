// Laws of ranks: wherever the nodes of a graph lie among the tasks of a cluster, it gives what the reference allows.
#include <rapidcheck.h>

#include "client/gradients.h"
#include "client/scope.h"
#include "conformance/compare/oracle.h"
#include "property-tests/generators/placement.h"
#include "property-tests/generators/random_aliases.h"
#include "property-tests/generators/random_calls.h"
#include "property-tests/generators/random_control_flow.h"
#include "property-tests/generators/random_graph.h"
#include "property-tests/law.h"
#include "property-tests/over_ranks.h"
#include "property-tests/placed_steps.h"
#include "property-tests/threads.h"
#include "property-tests/to_the_bit.h"

namespace plumb::property {
namespace {

PLUMB_LAW(Ranks, AcyclicGraphsGiveWhatTheReferenceAllows) { CheckSpread(tape, RandomAcyclic(tape, {})); }

PLUMB_SLOW_LAW(Ranks, ConditionalsAndLoopsGiveWhatTheReferenceAllows) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(scope, tape, {});
  CheckSpread(tape, CaseOf(scope, program, program.results));
}

PLUMB_SLOW_LAW(Ranks, GradientsOfLoopsGiveWhatTheReferenceAllows) {
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

// The placement that is expected to be quickest, by what a step took and under limits of memory, is one of all those.
PLUMB_LAW(Ranks, PlacementsByCostGiveWhatTheReferenceAllows) { CheckPlacedByCost(tape, RandomAcyclic(tape, {})); }

PLUMB_LAW(Ranks, LossesEndStepsAndAreNamed) {
  Scope scope;
  if (tape.Chance(50)) return CheckLosses(tape, RandomAcyclic(tape, {}));
  const RandomProgram program = RandomControlFlow(scope, tape, {});
  CheckLosses(tape, CaseOf(scope, program, program.results));
}

// R31, R36, W24, F28: an alias stays one on its rank, and across ranks it is read where it is sent.
PLUMB_SLOW_LAW(Ranks, AliasesAreReadWhereTheyAreSent) {
  RandomSession session = RandomAliases(tape);
  session.graph = PinToDevices(std::move(session.graph), tape);
  const ToldIfBroken told([&] { return Describe(session); });
  const SessionOptions options = OnAllDevices(AnyThreadCount(tape), AnyPercent(tape), 1);
  conformance::Oracle oracle(session.graph, conformance::Limits::kSound, options);
  for (NodeDef& node : session.graph.nodes) {
    node.device = node.device == "/cpu:0" ? "/job:worker/task:0" : "/job:worker/task:1";
  }
  const int ranks = 2 + tape.Below(2);
  const auto cluster = AnyCluster(tape, ranks, options.threads, /*cpus=*/1);
  const auto ranked = cluster->Open(tape.Below(ranks), {.forced_sharing = options.forced_sharing});
  CheckToTheBit(session, *ranked, oracle);
}

}  // namespace
}  // namespace plumb::property
