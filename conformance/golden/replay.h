// Step by step: each of a case's steps must answer what was recorded of it.
#pragma once

#include "conformance/golden/judge.h"

namespace plumb::conformance {

// Replays a case without observed outcomes. On the reference, steps of a group end as recorded in some order of their
// events (rule S3). A backend answers as recorded, or as the reference may in another order.
CaseResult JudgeReplay(const GoldenCase& golden, const Backend& backend);

}  // namespace plumb::conformance
