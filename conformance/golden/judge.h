// Replays one recorded case on a backend and says how it ended.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "conformance/golden/case.h"
#include "spec/session/session.h"

namespace plumb::conformance {

enum class Outcome { kPassed, kFailed, kUnsupported, kDeviation };
std::string_view OutcomeName(Outcome outcome);

struct CaseResult {
  std::string name;
  std::string backend;
  Outcome outcome = Outcome::kPassed;
  std::string gate;    // that failed; of a passed case: what judged it
  std::string detail;  // of a failure: step, node, expected and actual; of an unsupported case: what is missing
};

// A backend as the judge needs it.
struct Backend {
  std::string name;
  std::function<std::unique_ptr<Session>()> open;
  std::function<bool(std::string_view op)> implements;
};
// One of backends/backends.h.
Backend FindBackend(const std::string& name);

// Never throws for what the case or the backend does wrong: that is a failure of the case.
CaseResult JudgeCase(const GoldenCase& golden, const Backend& backend);

}  // namespace plumb::conformance
