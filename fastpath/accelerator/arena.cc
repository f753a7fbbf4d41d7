#include "fastpath/accelerator/arena.h"

#include <algorithm>

namespace plumb::fast {
namespace {

constexpr size_t kAlignment = 256;  // as the memory that drivers give

}  // namespace

size_t Arena::FindPlace(size_t size) const {
  size_t place = 0;
  for (const auto& [offset, used] : taken_) {
    if (offset - place >= size) return place;
    place = offset + used;
  }
  return place;
}

std::optional<size_t> Arena::Take(size_t bytes) {
  const size_t size = (std::max<size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
  MutexLock lock(mutex_);
  const size_t place = FindPlace(size);
  if (size > capacity_ || place > capacity_ - size) return std::nullopt;
  taken_[place] = size;
  extent_ = std::max(extent_, place + size);
  return place;
}

void Arena::GiveBack(size_t offset) {
  MutexLock lock(mutex_);
  taken_.erase(offset);
}

size_t Arena::extent() const {
  MutexLock lock(mutex_);
  return extent_;
}

size_t Arena::taken() const {
  MutexLock lock(mutex_);
  return taken_.size();
}

}  // namespace plumb::fast
