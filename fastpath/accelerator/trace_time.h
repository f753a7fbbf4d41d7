// The time that traces are in.
#pragma once

#include <chrono>
#include <cstdint>

namespace plumb::fast {

// Nanoseconds since the epoch.
inline int64_t TraceTime() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace plumb::fast
