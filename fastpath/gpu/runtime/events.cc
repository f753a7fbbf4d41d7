#include "fastpath/gpu/runtime/events.h"

#include <utility>

#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::GPU_NAMESPACE {

CudaEvent::~CudaEvent() { pool_->GiveBack(handle_); }

cudaError_t CudaEvent::Query() const {
  const cudaError_t error = cudaEventQuery(handle_);
  if (error == cudaErrorNotReady) static_cast<void>(cudaGetLastError());  // it is answered here
  return error;
}

EventPool::~EventPool() {
  for (cudaEvent_t const event : free_) static_cast<void>(cudaEventDestroy(event));
}

std::shared_ptr<CudaEvent> EventPool::Record(cudaStream_t stream) {
  cudaEvent_t handle = TakeFree();
  if (handle == nullptr) {
    Check(cudaEventCreateWithFlags(&handle, cudaEventDisableTiming | cudaEventBlockingSync), "to make an event");
  }
  auto event = std::make_shared<CudaEvent>(handle, shared_from_this());
  Check(cudaEventRecord(handle, stream), "to record an event");
  return event;
}

cudaEvent_t EventPool::TakeFree() {
  MutexLock lock(mutex_);
  if (free_.empty()) return nullptr;
  cudaEvent_t const event = free_.back();
  free_.pop_back();
  return event;
}

// A stream that was told to wait for the event waits for what was recorded then, whatever is recorded later.
void EventPool::GiveBack(cudaEvent_t event) {
  MutexLock lock(mutex_);
  free_.push_back(event);
}

}  // namespace plumb::fast::GPU_NAMESPACE
