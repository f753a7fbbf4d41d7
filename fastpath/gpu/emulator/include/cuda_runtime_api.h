// Calls of the CUDA runtime that few sources make.
#pragma once

#include <cuda_runtime.h>

inline namespace cuda_emulated {

// By the clocks of streams, which are the emulator's own.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

}  // namespace cuda_emulated
