// The emulated GPUs of this process, for tests: how many, how large, how late and how often failing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fastpath/gpu/emulator/include/cuda_runtime.h"
#include "spec/core/status.h"

namespace plumb::fast::emulated_gpu {

struct EmulatorOptions {
  int devices = 2;
  size_t memory = size_t{4} << 30;  // of each device
  uint64_t seed = 1;                // decides how late work is, and which fails
  int failures_per_thousand = 0;    // of copies, fills and launches, and of each piece of work in a graph
};

// Begins anew, once all work has ended: devices without memory in use and without failures. Streams, events and memory
// from before are no longer known. Devices exist without a call, as the defaults say.
void ConfigureEmulator(const EmulatorOptions& options);

// What was launched and queued so far on all devices together; what a stream captures does not count.
struct LaunchCounts {
  int64_t kernels = 0, graphs = 0, copies = 0, fills = 0;
};
LaunchCounts EmulatorLaunches();

// How often the fake of cuBLASLt was asked which algorithm a product is best computed by.
int64_t EmulatorChoicesOfProducts();

// Why the stream's device has failed, in words; OK while it has not.
Status EmulatorFailure(cudaStream_t stream);

}  // namespace plumb::fast::emulated_gpu
