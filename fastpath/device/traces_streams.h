// A device that can say when its streams ran kernels of a step, and which copies they made meanwhile.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/session/session.h"

namespace plumb::fast {

class TracesStreams {
 public:
  virtual ~TracesStreams() = default;
  // Neither throws: what is wrong with the device is for the step to say.
  virtual void BeginTrace(int64_t step_id) = 0;
  // Waits for what was begun. By stream, and all together, as TensorFlow names such lines (rule 9.12).
  virtual std::vector<DeviceStats> EndTrace(int64_t step_id) = 0;
};

}  // namespace plumb::fast
