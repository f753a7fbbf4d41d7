// An emulated GPU: its memory, and whether it has failed. A failure stays, as it does on a card: whatever is asked of
// the device later is answered with it.
#pragma once

#include <atomic>
#include <map>
#include <memory>

#include "fastpath/gpu/emulator/grid.h"
#include "fastpath/gpu/emulator/include/cuda_runtime.h"
#include "fastpath/sim/sim_memory.h"
#include "spec/core/status.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::emulated_gpu::emulator {

// How work failed: what the runtime says of it, and in words.
struct Failure {
  cudaError_t error = cudaSuccess;
  Status status;
};

class Device {
 public:
  Device(int number, size_t memory);

  int number() const { return number_; }
  size_t memory() const { return capacity_; }
  size_t allocated() const { return memory_.allocated(); }

  // Null where the memory does not suffice.
  void* Allocate(size_t bytes);
  // Whether it was allocated.
  bool Free(void* memory);
  // Whether an address is one of this device, allocated or not.
  bool Owns(const void* address) const;
  // The allocated block around an address; empty where there is none.
  MemoryBlock Find(const void* address) const;

  // The first failure stays.
  void Fail(Failure failure);
  cudaError_t error() const { return error_.load(std::memory_order_acquire); }
  Status failure() const;

 private:
  const int number_;
  const size_t capacity_;
  SimMemory memory_;
  uintptr_t begin_, distance_;
  std::atomic<cudaError_t> error_{cudaSuccess};
  mutable Mutex mutex_;
  std::map<uintptr_t, size_t> blocks_ PLUMB_GUARDED_BY(mutex_);
  Status failure_ PLUMB_GUARDED_BY(mutex_);
};

// Memory of the host that devices know of.
class PinnedMemory {
 public:
  void* Allocate(size_t bytes);
  bool Free(void* memory);
  struct Block {
    MemoryBlock range;
    std::shared_ptr<void> holder;  // keeps it there
  };
  Block Find(const void* address) const;
  void Clear();

 private:
  mutable Mutex mutex_;
  std::map<uintptr_t, Block> blocks_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::emulated_gpu::emulator
