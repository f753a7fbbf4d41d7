// Memory for the values of a step: size classes cached per thread, so that a warm step asks the heap for nothing.
#pragma once

#include <cstdint>

#include "spec/core/tensor.h"

namespace plumb::fast {

// The heap gets back what this thread and the common cache keep.
void GiveBackKeptMemory();

// A block of at least `bytes` bytes, 64-byte aligned, uninitialised, with one reference. Throws kResourceExhausted.
Buffer* AllocateBuffer(int64_t bytes);

// The size class of a request: four classes per doubling, so that at most a fifth of a big block is unused.
struct SizeClass {
  uint32_t index;
  uint64_t bytes;
};
SizeClass SizeClassOf(uint64_t bytes);

// What the caches hold at the moment, over all threads that gave back to the common cache. For tests and statistics.
struct AllocatorStatistics {
  int64_t heap_allocations = 0;  // blocks that had to come from the heap since the start
  int64_t cached_bytes = 0;      // in the common cache
};
AllocatorStatistics GetAllocatorStatistics();

}  // namespace plumb::fast
