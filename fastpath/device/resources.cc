#include "fastpath/device/resources.h"

namespace plumb::fast {

// What is dropped is destroyed after the lock is released: a resource may own others.
void ResourceManager::Clear(const std::string& container) {
  Map dropped;
  MutexLock lock(mutex_);
  for (auto it = resources_.begin(); it != resources_.end();) {
    const auto next = std::next(it);
    if (std::get<0>(it->first) == container) dropped.insert(resources_.extract(it));
    it = next;
  }
  MarkDropped(dropped);
}

void ResourceManager::ClearAll() {
  Map dropped;
  MutexLock lock(mutex_);
  dropped.swap(resources_);
  MarkDropped(dropped);
}

bool ResourceManager::Drop(const std::string& container, const std::string& type, const std::string& name) {
  Map dropped;
  MutexLock lock(mutex_);
  const auto found = resources_.find({container, type, name});
  if (found == resources_.end()) return false;
  dropped.insert(resources_.extract(found));
  MarkDropped(dropped);
  return true;
}

void ResourceManager::MarkDropped(const Map& resources) {
  for (const auto& [key, resource] : resources) resource->is_dropped_.store(true, std::memory_order_release);
}

}  // namespace plumb::fast
