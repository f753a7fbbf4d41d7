// Laws of aliases (rules R31–R33, F28): an alias shows what its variable holds when it is used, or when the step is
// over.
#include <rapidcheck.h>

#include "backends/backends.h"
#include "conformance/compare/oracle.h"
#include "property-tests/law.h"
#include "property-tests/random_aliases.h"
#include "property-tests/threads.h"

namespace plumb::property {
namespace {

PLUMB_LAW(Aliases, AreReadWhenTheyAreUsedOnEveryBackend) {
  const RandomSession session = RandomAliases(tape);
  const ToldIfBroken told([&] { return Describe(session); });
  const auto fast =
      OpenSession("cpu", {.threads = AnyThreadCount(tape), .forced_sharing = tape.Chance(50) ? AnyPercent(tape) : 0});
  conformance::Oracle oracle(session.graph);
  RC_ASSERT(oracle.loaded().ok());
  RC_ASSERT(fast->Extend(session.graph).ok());
  for (const conformance::StepRequest& step : session.steps) {
    std::vector<Tensor> values;
    std::vector<reference::Value> expected;
    const Status status = fast->Run(kWithLimit, step.feeds, step.fetches, step.targets, &values, nullptr);
    const Status allowed = oracle.Run(step, &expected);
    RC_LOG() << "reference: " << allowed.ToString() << "\nfast: " << status.ToString() << "\n";
    RC_ASSERT(status.code() == allowed.code());
    if (!status.ok()) return RC_TAG(std::string("a step fails"));
    for (size_t i = 0; i < values.size(); ++i) {
      RC_LOG() << step.fetches[i] << ": fast " << values[i].ToString() << ", reference "
               << expected[i].tensor.ToString() << "\n";
      RC_ASSERT(values[i].BitwiseEquals(expected[i].tensor));
    }
  }
}

}  // namespace
}  // namespace plumb::property
