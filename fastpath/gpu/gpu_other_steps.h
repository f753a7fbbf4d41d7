// The host's kernels that give values to other steps and wait for theirs, in the device's memory.
#pragma once

#include <memory>

#include "fastpath/device/async_kernel.h"
#include "fastpath/gpu/gpu_device.h"

namespace plumb::fast::GPU_NAMESPACE {

// Runs `host` when the work of the step so far has been done, and nothing of it was refused: no other step may see a
// value of this one before. Aliases become copies.
std::shared_ptr<Kernel> MakeGiving(std::shared_ptr<Kernel> host, GpuDevice& device);

// Starts `host` inside the device: what it takes stays where it lies.
std::shared_ptr<Kernel> MakeWaiting(std::shared_ptr<AsyncKernel> host, GpuDevice& device);

}  // namespace plumb::fast::GPU_NAMESPACE
