#include "fastpath/gpu/emulator/device.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace plumb::fast::emulated_gpu::emulator {
namespace {

constexpr size_t kAlignment = 256;           // of cudaMalloc
constexpr size_t kPage = 4096;               // where memory of the host begins
constexpr size_t kSoiled = size_t{1} << 20;  // so much of a new block holds garbage: more would only fill the host
constexpr int kGarbage = 0xA5;

size_t RoundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

// The entry of a map by begin that an address may lie in.
template <class Map>
auto Before(const Map& map, uintptr_t address) {
  auto next = map.upper_bound(address);
  return next == map.begin() ? map.end() : --next;
}

}  // namespace

Device::Device(int number, size_t memory) : number_(number), capacity_(memory), memory_(memory) {
  const DevicePointer first = memory_.Allocate(1);  // of an empty memory: where its addresses begin
  begin_ = reinterpret_cast<uintptr_t>(first);
  distance_ = reinterpret_cast<uintptr_t>(memory_.Follow(first)) - begin_;
  memory_.Free(first);
}

void* Device::Allocate(size_t bytes) {
  DevicePointer memory;
  if (bytes > capacity_) return nullptr;
  try {
    memory = memory_.Allocate(RoundUp(bytes, kAlignment));
  } catch (const Error&) {
    return nullptr;
  }
  std::memset(memory_.Follow(memory), kGarbage, std::min(bytes, kSoiled));
  MutexLock lock(mutex_);
  blocks_[reinterpret_cast<uintptr_t>(memory)] = bytes;
  return memory;
}

bool Device::Free(void* memory) {
  {
    MutexLock lock(mutex_);
    if (blocks_.erase(reinterpret_cast<uintptr_t>(memory)) == 0) return false;
  }
  memory_.Free(static_cast<DevicePointer>(memory));
  return true;
}

bool Device::Owns(const void* address) const { return reinterpret_cast<uintptr_t>(address) - begin_ < capacity_; }

MemoryBlock Device::Find(const void* address) const {
  const uintptr_t place = reinterpret_cast<uintptr_t>(address);
  MutexLock lock(mutex_);
  const auto block = Before(blocks_, place);
  if (block == blocks_.end() || place - block->first >= block->second) return {};
  return {block->first, block->first + block->second, distance_};
}

void Device::Fail(Failure failure) {
  MutexLock lock(mutex_);
  if (error() != cudaSuccess) return;
  failure_ = std::move(failure.status);
  error_.store(failure.error, std::memory_order_release);
}

Status Device::failure() const {
  MutexLock lock(mutex_);
  return failure_;
}

void* PinnedMemory::Allocate(size_t bytes) {
  const std::shared_ptr<void> memory(std::aligned_alloc(kPage, RoundUp(bytes, kPage)), &std::free);
  if (memory == nullptr) return nullptr;
  std::memset(memory.get(), kGarbage, std::min(bytes, kSoiled));
  const uintptr_t begin = reinterpret_cast<uintptr_t>(memory.get());
  MutexLock lock(mutex_);
  blocks_[begin] = {{begin, begin + bytes, 0}, memory};
  return memory.get();
}

bool PinnedMemory::Free(void* memory) {
  MutexLock lock(mutex_);
  return blocks_.erase(reinterpret_cast<uintptr_t>(memory)) > 0;
}

PinnedMemory::Block PinnedMemory::Find(const void* address) const {
  const uintptr_t place = reinterpret_cast<uintptr_t>(address);
  MutexLock lock(mutex_);
  const auto block = Before(blocks_, place);
  return block == blocks_.end() || place >= block->second.range.end ? Block() : block->second;
}

void PinnedMemory::Clear() {
  MutexLock lock(mutex_);
  blocks_.clear();
}

}  // namespace plumb::fast::emulated_gpu::emulator
