// Laws of parts that travel: a step whose parts were written down and read back, each, gives what the reference allows.
#include <rapidcheck.h>

#include "client/scope.h"
#include "conformance/compare/oracle.h"
#include "fastpath/session/fast_session.h"
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

SessionOptions AnyDevices(Tape& tape) {
  const int threads = AnyThreadCount(tape), percent = AnyPercent(tape);
  return OnAllDevices(threads, percent, static_cast<uint64_t>(tape.Below(100)));
}

void CheckTravelled(Tape& tape, RandomCase random_case) {
  random_case.graph = SpreadOverDevices(std::move(random_case.graph), tape);
  CheckPlaced(random_case, *fast::NewFastSession(AnyDevices(tape), {.parts_from_bytes = true}));
}

RandomCase ControlFlow(Tape& tape) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(scope, tape, {});
  return CaseOf(scope, program, program.results);
}

void CheckTravelledCalls(Tape& tape, RandomCase random_case) {
  RC_PRE(AsksForNothingFed(random_case));
  CheckPlaced(InFunction(tape, random_case, CallPlaces::kAnywhere),
              *fast::NewFastSession(AnyDevices(tape), {.parts_from_bytes = true}));
}

PLUMB_LAW(Parts, OfAcyclicGraphsRunFromBytes) { CheckTravelled(tape, RandomAcyclic(tape, {})); }

PLUMB_SLOW_LAW(Parts, OfConditionalsAndLoopsRunFromBytes) { CheckTravelled(tape, ControlFlow(tape)); }

PLUMB_LAW(Parts, OfFunctionsRunFromBytes) { CheckTravelledCalls(tape, RandomAcyclic(tape, {})); }

PLUMB_LAW(Parts, OfFunctionsWithConditionalsAndLoopsRunFromBytes) { CheckTravelledCalls(tape, ControlFlow(tape)); }

// R1, S6: variables are found again by their names.
PLUMB_SLOW_LAW(Parts, OfSeveralStepsShareVariables) {
  RandomSession session = RandomAliases(tape);
  session.graph = PinToDevices(std::move(session.graph), tape);
  const ToldIfBroken told([&] { return Describe(session); });
  const SessionOptions options = AnyDevices(tape);
  conformance::Oracle oracle(session.graph, conformance::Limits::kSound, options);
  const auto travelled = fast::NewFastSession(options, {.parts_from_bytes = true});
  CheckToTheBit(session, *travelled, oracle);
}

}  // namespace
}  // namespace plumb::property
