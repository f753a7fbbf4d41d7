#include "fastpath/accelerator/arrivals.h"

#include <utility>

#include "fastpath/memory/allocator.h"

namespace plumb::fast {
namespace {

size_t SizeFor(size_t bytes) { return SizeClassOf(bytes == 0 ? 1 : bytes).bytes; }

}  // namespace

Arrivals::Block Arrivals::TakeKept(size_t size, bool even_in_use) {
  MutexLock lock(mutex_);
  const auto found = kept_.find(size);
  if (found == kept_.end() || found->second.empty()) return {};
  std::deque<Block>& blocks = found->second;
  if (!even_in_use && blocks.size() < kMostWaiting && !driver_.HasHappened(*blocks.front().last_use)) return {};
  Block block = std::move(blocks.front());
  blocks.pop_front();
  kept_bytes_ -= size;
  return block;
}

// It may have been a kernel's, and be still in use.
Arrivals::Block Arrivals::Fresh(size_t size) {
  const DevicePointer memory = driver_.Allocate(device_, size);
  try {
    return {memory, driver_.Record(kernels_)};
  } catch (const Error&) {
    driver_.Free(device_, memory);
    throw;
  }
}

Arrivals::Block Arrivals::Take(size_t bytes) {
  const size_t size = SizeFor(bytes);
  if (Block kept = TakeKept(size, false); kept.memory != nullptr) return kept;
  try {
    return Fresh(size);
  } catch (const Error& error) {
    if (error.status().code() != Code::kResourceExhausted) throw;
  }
  if (Block kept = TakeKept(size, true); kept.memory != nullptr) return kept;
  Drop();
  return Fresh(size);
}

void Arrivals::GiveBack(DevicePointer memory, size_t bytes) {
  const size_t size = SizeFor(bytes);
  try {
    Block block = {memory, driver_.Record(kernels_)};
    MutexLock lock(mutex_);
    if (kept_bytes_ + size <= kMostKept) {
      kept_bytes_ += size;
      return kept_[size].push_back(std::move(block));
    }
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the device is lost; no copy into this block will be made
  }
  driver_.Free(device_, memory);
}

bool Arrivals::Drop() {
  MutexLock lock(mutex_);
  const bool had_any = kept_bytes_ > 0;
  for (auto& [size, blocks] : kept_) {
    for (const Block& block : blocks) driver_.Free(device_, block.memory);
  }
  kept_.clear();
  kept_bytes_ = 0;
  return had_any;
}

}  // namespace plumb::fast
