// The emulator's cuDNN while a test has another one.
#pragma once

#include "fastpath/gpu/emulator/cudnn.h"

namespace plumb::fast {

using emulated_gpu::CudnnCalls;
using emulated_gpu::EmulatedCudnn;
using emulated_gpu::EmulatedCudnnCalls;

class WithCudnn {
 public:
  explicit WithCudnn(const EmulatedCudnn& installed) : before_(emulated_gpu::InstallEmulatedCudnn(installed)) {}
  ~WithCudnn() { emulated_gpu::InstallEmulatedCudnn(before_); }
  WithCudnn(const WithCudnn&) = delete;
  WithCudnn& operator=(const WithCudnn&) = delete;

 private:
  const EmulatedCudnn before_;
};

}  // namespace plumb::fast
