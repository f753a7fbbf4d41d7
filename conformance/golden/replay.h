// Step by step: each of a case's steps must answer what was recorded of it.
#pragma once

#include "conformance/golden/judge.h"

namespace plumb::conformance {

// Replays a case without observed outcomes. Where steps of a group run together and the reference takes part, it is
// asked for other orders of their events until one allows what was recorded (rule S3).
CaseResult JudgeReplay(const GoldenCase& golden, const Backend& backend);

}  // namespace plumb::conformance
