#include "fastpath/sim/sim_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "spec/core/tensor.h"

namespace plumb::fast {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kReturned = size_t{1} << 20;  // freed blocks from this size on give their pages back

size_t RoundUp(size_t bytes) {
  return (std::max<size_t>(bytes, 1) + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
}

[[noreturn]] void ThrowUnavailable(const char* what) {
  throw Error(Code::kUnavailable, Str("no memory for a simulated device: ", what, ": ", std::strerror(errno)));
}

}  // namespace

SimMemory::SimMemory(size_t capacity) : capacity_(capacity) {
  void* const addresses = mmap(nullptr, capacity, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (addresses == MAP_FAILED) ThrowUnavailable("mmap");
  addresses_ = static_cast<DevicePointer>(addresses);
  file_ = memfd_create("plumb-sim", MFD_CLOEXEC);
  void* backing = MAP_FAILED;
  if (file_ >= 0 && ftruncate(file_, static_cast<off_t>(capacity)) == 0) {
    backing = mmap(nullptr, capacity, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
  }
  if (backing == MAP_FAILED) {
    munmap(addresses_, capacity_);
    if (file_ >= 0) close(file_);
    ThrowUnavailable("memfd_create");
  }
  backing_ = static_cast<char*>(backing);
  free_[0] = capacity;
}

SimMemory::~SimMemory() {
  munmap(backing_, capacity_);
  munmap(addresses_, capacity_);
  close(file_);
}

DevicePointer SimMemory::Allocate(size_t bytes) {
  const size_t size = RoundUp(bytes);
  MutexLock lock(mutex_);
  const auto found = std::find_if(free_.begin(), free_.end(), [&](const auto& block) { return block.second >= size; });
  if (found == free_.end()) {
    throw ResourceExhausted("a simulated device has no block of ", bytes, " bytes left; ", allocated_, " of ",
                            capacity_, " are in use");
  }
  const auto [offset, available] = *found;
  free_.erase(found);
  if (available > size) free_[offset + size] = available - size;
  used_[offset] = size;
  allocated_ += size;
  return addresses_ + offset;
}

void SimMemory::Free(DevicePointer memory) {
  MutexLock lock(mutex_);
  const auto found = used_.find(static_cast<size_t>(memory - addresses_));
  if (found == used_.end()) throw Internal("memory of a simulated device is freed that was not allocated");
  auto [offset, size] = *found;
  used_.erase(found);
  allocated_ -= size;
  if (size >= kReturned) {
    const size_t first = (offset + kPage - 1) / kPage * kPage, end = (offset + size) / kPage * kPage;
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(first),
              static_cast<off_t>(end - first));
  }
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && offset + size == next->first) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == offset) {
      before->second += size;
      return;
    }
  }
  free_[offset] = size;
}

size_t SimMemory::allocated() const {
  MutexLock lock(mutex_);
  return allocated_;
}

}  // namespace plumb::fast
