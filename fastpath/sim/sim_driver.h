// A driver for accelerators that are threads of this process.
#pragma once

#include <cstdint>
#include <memory>

#include "fastpath/accelerator/driver.h"

namespace plumb::fast {

inline constexpr int kMaxSimDevices = 16;

struct SimOptions {
  int devices = 1;
  uint64_t seed = 1;                 // of delays and failures
  int failures_per_thousand = 0;     // of the pieces of work
  size_t memory = size_t{16} << 30;  // of each device, in bytes of address space
};

class SimDriver : public Driver {
 public:
  // Turns a place in the device's memory into one that code that runs on the device may follow.
  using Follow = std::function<char*(DevicePointer)>;
  using Work = std::function<Status(const Follow&)>;

  // What the work uses is kept, and freed, by the work itself.
  virtual void Launch(Stream& stream, Work work) = 0;
};

// Throws kInvalidArgument for more than kMaxSimDevices.
std::shared_ptr<SimDriver> NewSimDriver(const SimOptions& options);

}  // namespace plumb::fast
