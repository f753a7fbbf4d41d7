// Laws of devices that fail: a step answers as the reference or says that a device failed, and at which node. It never
// hangs, and leaves nothing behind for other sessions.
#include <rapidcheck.h>

#include "client/scope.h"
#include "fastpath/session/fast_session.h"
#include "property-tests/generators/placement.h"
#include "property-tests/generators/random_calls.h"
#include "property-tests/generators/random_control_flow.h"
#include "property-tests/generators/random_graph.h"
#include "property-tests/law.h"
#include "property-tests/placed_steps.h"
#include "property-tests/threads.h"

namespace plumb::property {
namespace {

// From hardly any piece of work to nearly every second one.
int AnyFailures(Tape& tape) {
  constexpr int kPerThousand[] = {5, 20, 100, 400};
  return kPerThousand[tape.Below(std::size(kPerThousand))];
}

void CheckFailing(Tape& tape, const RandomCase& random_case) {
  const int threads = AnyThreadCount(tape), percent = AnyPercent(tape), failures = AnyFailures(tape);
  const SessionOptions options = OnAllDevices(threads, percent, static_cast<uint64_t>(tape.Below(10'000)));
  CheckPlaced(random_case, *fast::NewFastSession(options, {.failures_per_thousand = failures}),
              DeviceFailures::kMayCome);
  CheckPlaced(random_case, *fast::NewFastSession(options));
}

PLUMB_LAW(DeviceFailures, OfAcyclicGraphsAreToldOrHarmless) {
  RandomCase random_case = RandomAcyclic(tape, {});
  random_case.graph = SpreadOverDevices(std::move(random_case.graph), tape);
  CheckFailing(tape, random_case);
}

PLUMB_SLOW_LAW(DeviceFailures, OfConditionalsAndLoopsAreToldOrHarmless) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(scope, tape, {});
  RandomCase random_case = CaseOf(scope, program, program.results);
  random_case.graph = SpreadOverDevices(std::move(random_case.graph), tape);
  CheckFailing(tape, random_case);
}

// Those of calls that are compiled when they run come out of the step around them.
PLUMB_LAW(DeviceFailures, OfFunctionsAreToldOrHarmless) {
  RandomCase random_case = RandomAcyclic(tape, {});
  RC_PRE(AsksForNothingFed(random_case));
  CheckFailing(tape, InFunction(tape, random_case, CallPlaces::kAnywhere));
}

}  // namespace
}  // namespace plumb::property
