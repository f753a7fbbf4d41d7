// A convolution of the fake of cuDNN, as its algorithms and the engines of its graphs queue it.
#pragma once

#include "fastpath/gpu/emulator/libraries/cudnn_world.h"

namespace plumb::fast::emulated_gpu::emulator {

enum class Pass { kForward, kToImages, kToFilter };

// Where the operands lie, and their factors: of double where the operands are, else of float.
struct ConvolutionData {
  const void* alpha;
  const void* first;
  const void* second;
  void* workspace;
  size_t workspace_bytes;
  const void* beta;
  void* result;
};

// Queues it on the handle's stream, where it takes so many microseconds of the emulator's clock; or says what is wrong
// with the data.
cudnnStatus_t QueueConvolution(cudnnHandle_t handle, cudnnDataType_t type, const Convolved& it, Pass pass,
                               size_t workspace, const ConvolutionData& data, int64_t microseconds);

}  // namespace plumb::fast::emulated_gpu::emulator
