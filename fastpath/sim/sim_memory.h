// The memory of a simulated accelerator. Its addresses lie in address space that is reserved and never mapped, so that
// whoever follows one on the host crashes. What is stored there lies in a file in memory that is mapped elsewhere.
#pragma once

#include <cstddef>
#include <map>

#include "fastpath/accelerator/driver.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

class SimMemory {
 public:
  // Throws kUnavailable when the system gives no address space.
  explicit SimMemory(size_t capacity);
  ~SimMemory();
  SimMemory(const SimMemory&) = delete;
  SimMemory& operator=(const SimMemory&) = delete;

  DevicePointer Allocate(size_t bytes);
  void Free(DevicePointer memory);
  // Where the device finds what an address means.
  char* Follow(DevicePointer memory) const { return backing_ + (memory - addresses_); }
  size_t allocated() const;

 private:
  const size_t capacity_;
  DevicePointer addresses_ = nullptr;
  char* backing_ = nullptr;
  int file_ = -1;
  mutable Mutex mutex_;
  std::map<size_t, size_t> free_ PLUMB_GUARDED_BY(mutex_);  // size by offset; neighbours are one
  std::map<size_t, size_t> used_ PLUMB_GUARDED_BY(mutex_);
  size_t allocated_ PLUMB_GUARDED_BY(mutex_) = 0;
};

}  // namespace plumb::fast
