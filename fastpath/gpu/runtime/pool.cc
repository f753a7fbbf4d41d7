#include "fastpath/gpu/runtime/pool.h"

#include "fastpath/gpu/runtime/cuda_driver.h"
#include "fastpath/memory/allocator.h"

namespace plumb::fast::GPU_NAMESPACE {

DevicePointer Pool::TakeFree(size_t bytes) {
  MutexLock lock(mutex_);
  const auto found = free_.find(bytes);
  if (found == free_.end() || found->second.empty()) return nullptr;
  const DevicePointer block = found->second.back();
  found->second.pop_back();
  used_[block] = bytes;
  used_bytes_ += bytes;
  return block;
}

DevicePointer Pool::Allocate(size_t bytes) {
  const size_t size = SizeClassOf(bytes == 0 ? 1 : bytes).bytes;
  if (const DevicePointer block = TakeFree(size); block != nullptr) return block;
  Check(cudaSetDevice(device_), "to choose a GPU");
  void* block = nullptr;
  cudaError_t error = cudaMalloc(&block, size);
  if (error == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());  // it is answered here
    GiveBack();
    error = cudaMalloc(&block, size);
  }
  MutexLock lock(mutex_);
  if (error == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    size_t free = 0, total = 0;
    Check(cudaMemGetInfo(&free, &total), "to ask for the free memory");
    throw ResourceExhausted("GPU ", device_, " has no block of ", bytes, " bytes left; ", used_bytes_, " of ", total,
                            " are in use by this process");
  }
  Check(error, "to allocate memory");
  used_[static_cast<DevicePointer>(block)] = size;
  used_bytes_ += size;
  return static_cast<DevicePointer>(block);
}

void Pool::Free(DevicePointer block) {
  MutexLock lock(mutex_);
  const auto found = used_.find(block);
  if (found == used_.end()) throw Internal("memory of GPU ", device_, " is freed that was not allocated");
  free_[found->second].push_back(block);
  used_bytes_ -= found->second;
  used_.erase(found);
}

// Work that is queued may still use them.
void Pool::GiveBack() {
  MutexLock lock(mutex_);
  await_work_();
  for (const auto& [size, blocks] : free_) {
    for (const DevicePointer block : blocks) Check(cudaFree(block), "to free memory");
  }
  free_.clear();
}

}  // namespace plumb::fast::GPU_NAMESPACE
