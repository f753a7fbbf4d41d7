// How many threads a loop is given.
#pragma once

#include <algorithm>

#include "gpu_language.h"

namespace plumb::fast::GPU_NAMESPACE {

inline constexpr int kThreadsOfLoop = 256;
inline constexpr int64_t kMostBlocksOfLoop = 65536;  // of kernels that walk on by the number of all threads

// For a loop over `count` elements whose threads do not meet: `for (int64_t i = First(); i < count; i += Stride())`.
inline GridSize LoopOver(int64_t count) {
  return {std::min((count + kThreadsOfLoop - 1) / kThreadsOfLoop, kMostBlocksOfLoop), kThreadsOfLoop, false};
}
PLUMB_GPU_INLINE int64_t First() { return BlockNumber() * Threads() + ThreadNumber(); }
PLUMB_GPU_INLINE int64_t Stride() { return Blocks() * Threads(); }

}  // namespace plumb::fast::GPU_NAMESPACE
