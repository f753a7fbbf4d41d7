// Replays one recorded case on a backend and says how it ended.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "conformance/golden/case.h"
#include "conformance/report/result.h"
#include "spec/core/attr.h"
#include "spec/session/session.h"

namespace plumb::conformance {

// A backend as the judge needs it.
struct Backend {
  std::string name;
  std::function<std::unique_ptr<Session>()> open;
  std::function<bool(std::string_view op)> implements;
  // Of somebody else's: whether it declares to take these types. Null: the op's row declares them.
  std::function<bool(std::string_view op, const AttrMap& types)> declares = nullptr;
  // Of one with several devices: the one, by its full or partial name (rule W1), that is to be tried. What its traces
  // (RunMetadata) show on none that the name describes has not tried it. Empty: whichever.
  std::string device = {};
  // Whether that device has a kernel for these types, so that it is worth trying. Null: it may have.
  std::function<bool(std::string_view op, const AttrMap& types)> has_on_device = nullptr;
  // With how many seeds `plumb conformance ops` tries an op on a choice of types, unless it is told.
  int rounds = 3;
  // Whether its kernels are another's, tried there: then sizes that only select a way inside them are not tried for
  // every type once more.
  bool borrows_kernels = false;
};
// One of backends/backends.h. What a library's functions do, they do to the process that calls them.
Backend FindBackend(const std::string& name);

// Never throws for what the case or the backend does wrong: that is a failure of the case.
CaseResult JudgeCase(const GoldenCase& golden, const Backend& backend);

}  // namespace plumb::conformance
