#include "fastpath/gpu/runtime/pinned.h"

#include <cuda_runtime.h>

namespace plumb::fast::GPU_NAMESPACE {

std::shared_ptr<char> PinnedPool::Take(size_t bytes) {
  for (size_t i = 0; i < kSizes.size(); ++i) {
    if (bytes > kSizes[i]) continue;
    char* const block = TakeFree(i);
    if (block == nullptr) return nullptr;
    return {block, [pool = shared_from_this(), i](char* given) { pool->GiveBack(i, given); }};
  }
  return nullptr;
}

char* PinnedPool::TakeFree(size_t size_class) {
  MutexLock lock(mutex_);
  std::vector<char*>& free = free_[size_class];
  if (free.empty()) {
    if (slabs_ == kMostSlabs) return nullptr;
    void* slab = nullptr;
    if (cudaHostAlloc(&slab, kSlab, cudaHostAllocPortable) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // copies do without
      return nullptr;
    }
    ++slabs_;
    for (size_t at = 0; at < kSlab; at += kSizes[size_class]) free.push_back(static_cast<char*>(slab) + at);
  }
  char* const block = free.back();
  free.pop_back();
  return block;
}

void PinnedPool::GiveBack(size_t size_class, char* block) {
  MutexLock lock(mutex_);
  free_[size_class].push_back(block);
}

}  // namespace plumb::fast::GPU_NAMESPACE
