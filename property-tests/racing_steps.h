// Steps that run at the same time, and whether what they leave behind is allowed.
#pragma once

#include <string>
#include <vector>

#include "property-tests/concurrent_steps.h"
#include "property-tests/generators/random_updates.h"
#include "spec/session/session.h"

namespace plumb::property {

struct StepAnswer {
  Status status;
  std::vector<Tensor> values;
};

StepAnswer RunStep(Session& session, const std::vector<std::string>& fetches, const std::vector<std::string>& targets);

// That some order of the effects gives what the steps answered and then, last of all, the variables.
void CheckOutcome(const ConcurrentCase& concurrent, const std::vector<StepAnswer>& answers);
// That the variables are what all updates together make of them.
void CheckSums(const RandomUpdates& updates, const StepAnswer& variables);

}  // namespace plumb::property
