#include "fastpath/execute/timed_out.h"

#include <algorithm>
#include <utility>

namespace plumb::fast {

Status TimedOut(int64_t timeout_ms, const std::vector<std::string>& waits) {
  constexpr size_t kListed = 20;
  std::string message = Str("the step took longer than its timeout of ", timeout_ms, " ms");
  for (size_t i = 0; i < std::min(waits.size(), kListed); ++i) message += Str("; ", waits[i]);
  if (waits.size() > kListed) message += Str("; and ", waits.size() - kListed, " more wait");
  return Status(Code::kDeadlineExceeded, std::move(message));
}

}  // namespace plumb::fast
