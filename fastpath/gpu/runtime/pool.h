// Blocks of one device's memory, kept for those who ask next: a call of the runtime that allocates or frees waits for
// the whole device.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fastpath/accelerator/driver.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::GPU_NAMESPACE {

// Thread-safe.
class Pool {
 public:
  // `await_work` returns when the device has done all that it was given so far.
  Pool(int device, std::function<void()> await_work) : device_(device), await_work_(std::move(await_work)) {}

  // Throws kResourceExhausted, with the sizes, when the device has no more even after all that is free was given back.
  DevicePointer Allocate(size_t bytes);
  void Free(DevicePointer block);

 private:
  DevicePointer TakeFree(size_t bytes);
  void GiveBack();

  const int device_;
  const std::function<void()> await_work_;
  Mutex mutex_;
  std::map<size_t, std::vector<DevicePointer>> free_ PLUMB_GUARDED_BY(mutex_);  // by size
  std::unordered_map<DevicePointer, size_t> used_ PLUMB_GUARDED_BY(mutex_);
  size_t used_bytes_ PLUMB_GUARDED_BY(mutex_) = 0;
};

}  // namespace plumb::fast::GPU_NAMESPACE
