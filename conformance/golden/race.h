// Racing graphs: what came out must be one of the outcomes that were recorded.
#pragma once

#include "conformance/golden/judge.h"

namespace plumb::conformance {

// Replays a case with observed outcomes: on the reference once, on other backends many times with other delays, each
// in a session of its own. Fails at the gate "effect" for an outcome that is not among them.
CaseResult JudgeRace(const GoldenCase& golden, const Backend& backend);

}  // namespace plumb::conformance
