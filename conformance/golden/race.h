// Racing graphs: what came out must be one of the outcomes that were recorded, or that the reference comes to.
#pragma once

#include "conformance/golden/judge.h"

namespace plumb::conformance {

// Judges a case with observed outcomes, each run in a session of its own. A backend plays it many times with other
// delays, and fails at the gate "effect" for an outcome that is neither among them nor reachable. The reference orders
// the events in many ways, and fails for an observed outcome that none of them gives, or if its own choice within steps
// gives one that was not observed.
CaseResult JudgeRace(const GoldenCase& golden, const Backend& backend);

// Whether the reference comes to this outcome, when it fires what is ready in some other order: random ones are tried.
// TensorFlow's runs have the timing of one machine and one device, and show some outcomes never.
bool IsReachable(const GoldenCase& golden, const RecordedOutcome& outcome);

}  // namespace plumb::conformance
