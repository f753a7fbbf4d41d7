// Memory of the host that cards reach by themselves: a copy to or from it lets the thread that asks for it go on. To
// lock pages takes the runtime long, so they are locked in slabs, which stay, and given out in blocks of a few sizes.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "spec/core/thread_annotations.h"

namespace plumb::fast::GPU_NAMESPACE {

// Thread-safe. Lives as long as any block that it gave out.
class PinnedPool : public std::enable_shared_from_this<PinnedPool> {
 public:
  // Null for more than the largest block has, and where all slabs that may be are in use.
  std::shared_ptr<char> Take(size_t bytes);

 private:
  static constexpr size_t kSlab = size_t{1} << 20;
  static constexpr size_t kMostSlabs = 64;
  static constexpr std::array<size_t, 3> kSizes = {size_t{1} << 12, size_t{1} << 16, kSlab};

  char* TakeFree(size_t size_class);
  void GiveBack(size_t size_class, char* block);

  Mutex mutex_;
  std::array<std::vector<char*>, kSizes.size()> free_ PLUMB_GUARDED_BY(mutex_);
  size_t slabs_ PLUMB_GUARDED_BY(mutex_) = 0;
};

}  // namespace plumb::fast::GPU_NAMESPACE
