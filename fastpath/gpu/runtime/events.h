// Events that are used again: the runtime takes longer to make one than to record it.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <vector>

#include "fastpath/accelerator/driver.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast::GPU_NAMESPACE {

class EventPool;

// What a stream was given before it was recorded. It goes back to its pool with its last holder.
class CudaEvent : public Driver::Event {
 public:
  CudaEvent(cudaEvent_t handle, std::shared_ptr<EventPool> pool) : handle_(handle), pool_(std::move(pool)) {}
  ~CudaEvent() override;
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  cudaEvent_t handle() const { return handle_; }
  // Asks without waiting. Whoever launches on this thread afterwards is not told that something was not ready.
  cudaError_t Query() const;

 private:
  const cudaEvent_t handle_;
  const std::shared_ptr<EventPool> pool_;
};

// Thread-safe. Of one device; lives as long as any event that it gave out.
class EventPool : public std::enable_shared_from_this<EventPool> {
 public:
  EventPool() = default;
  ~EventPool();
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;

  // An event that the stream has recorded now. The current device is the stream's, and the pool's. Throws as Check
  // does.
  std::shared_ptr<CudaEvent> Record(cudaStream_t stream);

 private:
  friend class CudaEvent;
  cudaEvent_t TakeFree();
  void GiveBack(cudaEvent_t event);

  Mutex mutex_;
  std::vector<cudaEvent_t> free_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast::GPU_NAMESPACE
