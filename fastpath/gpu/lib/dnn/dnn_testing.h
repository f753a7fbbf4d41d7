// The emulator's cuDNN while a test has another one.
#pragma once

#include <cstdlib>

#include "fastpath/gpu/emulator/cudnn.h"
#include "fastpath/gpu/lib/dnn/dnn_choices.h"

namespace plumb::fast {

using emulated_gpu::CudnnCalls;
using emulated_gpu::EmulatedCudnn;
using emulated_gpu::EmulatedCudnnCalls;

// What was found fastest of another one is forgotten.
class WithCudnn {
 public:
  explicit WithCudnn(const EmulatedCudnn& installed) : before_(emulated_gpu::InstallEmulatedCudnn(installed)) {
    emulated_gpu::DnnChoices::Get().Forget();
  }
  ~WithCudnn() {
    emulated_gpu::InstallEmulatedCudnn(before_);
    emulated_gpu::DnnChoices::Get().Forget();
  }
  WithCudnn(const WithCudnn&) = delete;
  WithCudnn& operator=(const WithCudnn&) = delete;

 private:
  const EmulatedCudnn before_;
};

// Devices that are made meanwhile try no engines.
class WithoutTries {
 public:
  WithoutTries() { setenv("TF_CUDNN_USE_AUTOTUNE", "0", 1); }
  ~WithoutTries() { unsetenv("TF_CUDNN_USE_AUTOTUNE"); }
  WithoutTries(const WithoutTries&) = delete;
  WithoutTries& operator=(const WithoutTries&) = delete;
};

}  // namespace plumb::fast
