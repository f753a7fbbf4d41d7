// The emulator's cuDNN, for tests: whether it is there, of which version, what it has, and what it was asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "fastpath/gpu/lib/dnn/cudnn_abi.h"

namespace plumb::fast::emulated_gpu {

struct EmulatedCudnn {
  bool is_installed = true;
  size_t version = 91900;
  bool can_begin = true;       // false: a part of it is of another version
  bool has_algorithms = true;  // false: none supports anything
  bool takes_channels_last = true;
  int64_t channels_last_takes_more = 25;  // microseconds of the emulator's clock, of an engine of a graph, for float
  // Nothing for large convolutions, nor for one in four of the others, by their sizes: so that whoever runs over the
  // emulator tries both the library and what does without. And few engines of graphs: each that is tried is computed.
  bool lacks_some = false;
};

// From now on whoever looks for cuDNN finds this one; returns the one before. At first there is one that lacks some,
// and none where the environment has PLUMB_EMULATED_CUDNN=absent.
EmulatedCudnn InstallEmulatedCudnn(const EmulatedCudnn& installed);

// What all handles together were asked for so far; convolutions by algorithm.
struct CudnnCalls {
  int64_t choices = 0;
  std::map<cudnnConvolutionFwdAlgo_t, int64_t> forward;
  std::map<cudnnConvolutionBwdDataAlgo_t, int64_t> to_images;
  std::map<cudnnConvolutionBwdFilterAlgo_t, int64_t> to_filter;
  std::map<int64_t, int64_t> engines;         // of graphs, by number
  int64_t heuristics = 0;                     // of graphs
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;  // of the last convolution by an algorithm
  bool channels_first = true;                 // of the last convolution

  int64_t convolutions() const;
};
CudnnCalls EmulatedCudnnCalls();

}  // namespace plumb::fast::emulated_gpu
