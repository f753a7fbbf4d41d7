// A device that can say which copies it made during a step.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/session/session.h"

namespace plumb::fast {

class TracesCopies {
 public:
  virtual ~TracesCopies() = default;
  virtual void BeginTrace(int64_t step_id) = 0;
  // Waits for what was begun. By stream, and all together, as TensorFlow names such lines (rule 9.12).
  virtual std::vector<DeviceStats> EndTrace(int64_t step_id) = 0;
};

}  // namespace plumb::fast
