#include "property-tests/placed_steps.h"

#include <rapidcheck.h>

#include "client/scope.h"
#include "property-tests/allowed_answers.h"
#include "property-tests/law.h"
#include "property-tests/threads.h"

namespace plumb::property {

RandomCase CaseOf(const Scope& scope, const RandomProgram& program, const std::vector<Output>& results) {
  RandomCase random_case{scope.ToGraphDef(), program.feeds, {}, {}};
  for (const Output& result : results) random_case.fetches.push_back(result.name());
  return random_case;
}

void CheckPlaced(const RandomCase& random_case, Session& fast, DeviceFailures failures) {
  CheckLoaded(random_case, fast, fast.Extend(random_case.graph), failures);
}

void CheckLoaded(const RandomCase& random_case, Session& fast, const Status& loaded, DeviceFailures failures) {
  const auto run = [&](std::vector<Tensor>* values) {
    if (!loaded.ok()) return loaded;
    return fast.Run(kWithLimit, random_case.feeds, random_case.fetches, random_case.targets, values, nullptr);
  };
  CheckSteps(random_case, run, failures);
}

void CheckSteps(const RandomCase& random_case, const std::function<Status(std::vector<Tensor>* values)>& run,
                DeviceFailures failures) {
  const ToldIfBroken told([&] { return Describe(random_case); });
  conformance::Oracle oracle(random_case.graph);
  std::vector<reference::Value> expected;
  const Status status = oracle.Run({random_case.feeds, random_case.fetches, random_case.targets}, &expected);
  for (int step = 0; step < 2; ++step) {
    std::vector<Tensor> values;
    const Status placed = run(&values);
    RC_LOG() << "step " << step << ": reference: " << status.ToString() << "\nplaced: " << placed.ToString() << "\n";
    if (failures == DeviceFailures::kMayCome && placed.code() == Code::kUnavailable) {
      RC_ASSERT(placed.message().find("[node '") != std::string::npos);
      return RC_TAG(std::string("a device fails"));
    }
    RC_ASSERT(status.code() == placed.code());
    if (!status.ok()) return RC_TAG(std::string("fails"));
    CheckAllowed(values, expected, random_case.fetches, oracle);
  }
  RC_TAG(std::string("succeeds"));
}

}  // namespace plumb::property
