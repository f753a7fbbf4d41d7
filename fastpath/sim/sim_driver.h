// A driver for accelerators that are threads of this process.
#pragma once

#include <cstdint>
#include <memory>

#include "fastpath/sim/driver.h"

namespace plumb::fast {

struct SimOptions {
  int devices = 1;
  uint64_t seed = 1;                 // of delays and failures
  int failures_per_thousand = 0;     // of the pieces of work
  size_t memory = size_t{16} << 30;  // of each device, in bytes of address space
};

std::shared_ptr<Driver> NewSimDriver(const SimOptions& options);

}  // namespace plumb::fast
