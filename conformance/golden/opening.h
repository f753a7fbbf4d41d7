// Whether a backend can be opened at all, found out where it can do no harm.
#pragma once

#include <chrono>
#include <optional>

#include "conformance/golden/judge.h"

namespace plumb::conformance {

// Opens a session in a process of its own. Throws the Error with which the backend refused; a crash or a hang is a case
// that failed, called "opening". Nothing when all is well.
std::optional<CaseResult> FailureToOpen(const Backend& backend, std::chrono::milliseconds silence);

}  // namespace plumb::conformance
