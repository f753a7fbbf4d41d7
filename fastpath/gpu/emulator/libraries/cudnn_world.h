// What the fake of cuDNN has behind its handles and descriptors, and what it knows of its calls.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "fastpath/gpu/emulator/libraries/cudnn.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::emulated_gpu {

struct cudnnContext {
  cudaStream_t stream = nullptr;
  int device = 0;
};

// Descriptors say nothing until they are set. Sizes are images (or channels out), channels, and those of space.
struct cudnnTensorStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  std::vector<int64_t> sizes, strides;
};
struct cudnnFilterStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
  std::vector<int64_t> sizes;
};
struct cudnnConvolutionStruct {
  std::vector<int64_t> padding, strides, dilations;
  cudnnConvolutionMode_t mode = CUDNN_CONVOLUTION;
  cudnnDataType_t computed = CUDNN_DATA_FLOAT;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  int64_t groups = 1;
};

namespace emulator {

class CudnnWorld {
 public:
  static CudnnWorld& Get();

  EmulatedCudnn installed() const;
  EmulatedCudnn Install(const EmulatedCudnn& installed);
  CudnnCalls calls() const;
  // `note(calls)`.
  template <class Note>
  void Count(const Note& note) {
    MutexLock lock(mutex_);
    note(calls_);
  }

 private:
  CudnnWorld();

  mutable Mutex mutex_;
  EmulatedCudnn installed_ PLUMB_GUARDED_BY(mutex_);
  CudnnCalls calls_ PLUMB_GUARDED_BY(mutex_);
};

// The strides of such sizes in memory without gaps.
std::vector<int64_t> PackedStrides(const std::vector<int64_t>& sizes, bool channels_first);

constexpr size_t kMostAxesOfSpace = 3;

// A convolution as its descriptors say; of two axes of space the third is 1.
struct Convolved {
  int64_t images = 0, channels_in = 0, channels_out = 0, groups = 1, axes = 0;
  std::array<int64_t, kMostAxesOfSpace> in{1, 1, 1}, out{1, 1, 1}, window{1, 1, 1}, padding{}, stride{1, 1, 1},
      dilation{1, 1, 1};
  // From one image, channel, and place of space to the next; of the filter from one channel out and in.
  std::array<int64_t, kMostAxesOfSpace + 2> x_strides{}, w_strides{}, y_strides{};
  bool channels_first = true;
  bool as_tf32 = false;  // whether floats are multiplied as TF32

  int64_t x_elements() const { return images * channels_in * in[0] * in[1] * in[2]; }
  int64_t y_elements() const { return images * channels_out * out[0] * out[1] * out[2]; }
  int64_t w_elements() const { return channels_out * (channels_in / groups) * window[0] * window[1] * window[2]; }
  // Of the patches that all windows see.
  int64_t seen() const { return images * out[0] * out[1] * out[2] * window[0] * window[1] * window[2] * channels_in; }
};

// Decodes them, or says what the library refuses them for.
cudnnStatus_t Decode(const cudnnTensorStruct* x, const cudnnFilterStruct* w, const cudnnConvolutionStruct* convolution,
                     const cudnnTensorStruct* y, Convolved* convolved);

}  // namespace emulator
}  // namespace plumb::fast::emulated_gpu
