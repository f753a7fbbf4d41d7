// The functions of cuDNN, found when they are wanted first.
#pragma once

#include <string>

#include "fastpath/gpu/lib/dnn/cudnn_abi.h"
#include "fastpath/gpu/lib/dnn/cudnn_graph_abi.h"

namespace plumb::fast::GPU_NAMESPACE {

struct CudnnFunctions {
#define PLUMB_MEMBER(name) decltype(&GPU_NAMESPACE::name) name = nullptr;
  PLUMB_CUDNN_FUNCTIONS(PLUMB_MEMBER)
  PLUMB_CUDNN_GRAPH_FUNCTIONS(PLUMB_MEMBER)
#undef PLUMB_MEMBER

  std::string version;  // "9.19.0"
};

// Throws kUnavailable, which says what is missing and what to do, where there is no cuDNN of version 9.
CudnnFunctions LoadCudnn();

// Finds a function by its name; null where there is none.
using FindFunction = void* (*)(const char* name);
// That of this machine's cuDNN, of whatever version; null where there is none, which `why` says. The module for cards
// and the emulator have one each (fastpath/gpu/card, fastpath/gpu/emulator).
FindFunction OpenCudnn(std::string* why);

}  // namespace plumb::fast::GPU_NAMESPACE
