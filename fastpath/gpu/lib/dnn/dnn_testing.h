// The emulator's cuDNN while a test has another one.
#pragma once

#include <cstdlib>

#include "fastpath/gpu/emulator/libraries/cudnn.h"
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

// A word of the environment, for the devices that are made meanwhile.
class WithWord {
 public:
  WithWord(const char* name, const char* word) : name_(name) { setenv(name, word, 1); }
  ~WithWord() { unsetenv(name_); }
  WithWord(const WithWord&) = delete;
  WithWord& operator=(const WithWord&) = delete;

 private:
  const char* const name_;
};

// They try no engines.
struct WithoutTries : WithWord {
  WithoutTries() : WithWord("TF_CUDNN_USE_AUTOTUNE", "0") {}
};
// Their sums are in the same order each time.
struct InOneOrder : WithWord {
  InOneOrder() : WithWord("TF_CUDNN_DETERMINISTIC", "1") {}
};

}  // namespace plumb::fast
