// How laws hold steps that lie on several devices against the reference.
#pragma once

#include <functional>

#include "client/output.h"
#include "property-tests/generators/random_graph.h"
#include "property-tests/generators/random_program.h"
#include "spec/session/session.h"

namespace plumb {
class Scope;
}

namespace plumb::property {

// A program as a case that fetches these.
RandomCase CaseOf(const Scope& scope, const RandomProgram& program, const std::vector<Output>& results);

// Whether a step may also fail because a device did.
enum class DeviceFailures { kNone, kMayCome };

// Loads the case in `fast` and takes its step twice. Breaks the law where an answer is not one that the reference
// allows, or a status has another code. kMayCome: a step may fail with kUnavailable in place of its answer, if it names
// the node; what comes after it is not looked at.
void CheckPlaced(const RandomCase& random_case, Session& fast, DeviceFailures failures = DeviceFailures::kNone);
// The same in a session that was given the graph already, and answered so.
void CheckLoaded(const RandomCase& random_case, Session& fast, const Status& loaded,
                 DeviceFailures failures = DeviceFailures::kNone);
// The same for steps that `run` takes.
void CheckSteps(const RandomCase& random_case, const std::function<Status(std::vector<Tensor>* values)>& run,
                DeviceFailures failures);

}  // namespace plumb::property
