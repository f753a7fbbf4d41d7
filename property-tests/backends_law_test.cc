// Law: the fast backend, or a library that is tried, gives what the reference allows, on random graphs, feeds, fetches
// and targets, however many threads share the step.
#include <rapidcheck.h>

#include "backends/backends.h"
#include "conformance/compare/oracle.h"
#include "property-tests/allowed_answers.h"
#include "property-tests/generators/random_control_flow.h"
#include "property-tests/generators/random_graph.h"
#include "property-tests/law.h"
#include "property-tests/threads.h"

namespace plumb::property {
namespace {

struct Outcome {
  Status status;
  std::vector<Tensor> values;
};

Outcome RunOnAnyThreads(Tape& tape, const RandomCase& random_case) {
  const int threads = AnyThreadCount(tape), percent = AnyPercent(tape);
  RC_LOG() << threads << " threads, " << percent << " % shared\n";
  const std::unique_ptr<Session> session = OpenSession(TriedBackend(), {.threads = threads, .forced_sharing = percent});
  Outcome outcome;
  outcome.status = session->Extend(random_case.graph);
  if (outcome.status.ok()) {
    outcome.status =
        session->Run(kWithLimit, random_case.feeds, random_case.fetches, random_case.targets, &outcome.values, nullptr);
  }
  return outcome;
}

void CheckAgainstReference(const RandomCase& random_case, const Outcome& outcome) {
  const std::string tried = TriedBackend();
  const ToldIfBroken told([&] { return TellWithCommands(random_case, tried); });
  conformance::Oracle oracle(random_case.graph);
  std::vector<reference::Value> expected;
  const Status status = oracle.Run({random_case.feeds, random_case.fetches, random_case.targets}, &expected);
  RC_TAG(std::string(CodeName(status.code())));
  RC_LOG() << "reference: " << status.ToString() << "\n" << tried << ": " << outcome.status.ToString() << "\n";
  RC_ASSERT(status.code() == outcome.status.code());
  if (!status.ok()) return;
  CheckAllowed(outcome.values, expected, random_case.fetches, oracle, tried);
}

PLUMB_LAW(Backends, AcyclicGraphsGiveWhatTheReferenceAllows) {
  const RandomCase random_case = RandomAcyclic(tape, {.declares = DeclaredByTried()});
  CheckAgainstReference(random_case, RunOnAnyThreads(tape, random_case));
}

RandomCase ControlFlowCase(Tape& tape) {
  Scope scope;
  const RandomProgram program = RandomControlFlow(scope, tape, {.declares = DeclaredByTried()});
  RandomCase random_case{scope.ToGraphDef(), program.feeds, {}, {}};
  for (const Output& result : program.results) random_case.fetches.push_back(result.name());
  return random_case;
}

PLUMB_LAW(Backends, ConditionalsAndLoopsGiveWhatTheReferenceAllows) {
  const RandomCase random_case = ControlFlowCase(tape);
  CheckAgainstReference(random_case, RunOnAnyThreads(tape, random_case));
}

}  // namespace
}  // namespace plumb::property
