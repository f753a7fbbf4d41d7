// The driver of CUDA cards, over the CUDA runtime; the same source runs over the emulator's runtime.
//
// Memory is taken from the runtime in blocks that go back to a pool of their device, not to the runtime: a block that
// is freed is given to whoever asks next, although work that uses it may still be queued. So the memory of work on a
// device's stream of kernels may be freed as soon as that work is queued, if all who get it later queue their work
// behind it (Accelerator::CopyFromHost does).
#pragma once

#include <cuda_runtime.h>

#include <memory>

#include "fastpath/accelerator/driver.h"

namespace plumb::fast::GPU_NAMESPACE {

// What an answer of the runtime is in our terms: kResourceExhausted for memory, kUnavailable for a device that is lost,
// kInternal otherwise; `what` says what was to be done.
Status StatusOf(cudaError_t error, const char* what);
// Throws it, of a call that could not be begun.
void Check(cudaError_t error, const char* what);

struct CudaStream : Driver::Stream {
  cudaStream_t handle = nullptr;
  int device = 0;
};

// A stream to capture work with, which answers nothing. Who waits for the work of a device does not look at it.
std::shared_ptr<CudaStream> NewCapturingStream(int device);

// The driver of this process; throws kUnavailable where there is no device, with the reason.
std::shared_ptr<Driver> CudaDriver();
// One with pools of its own, for tests whose devices begin anew.
std::shared_ptr<Driver> NewCudaDriver();

}  // namespace plumb::fast::GPU_NAMESPACE
