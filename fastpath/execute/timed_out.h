// What a step ends with when its time is over (rule S4).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/core/status.h"

namespace plumb::fast {

// kDeadlineExceeded; `waits`: who waits for what in it.
Status TimedOut(int64_t timeout_ms, const std::vector<std::string>& waits);

}  // namespace plumb::fast
