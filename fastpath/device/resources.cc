#include "fastpath/device/resources.h"

namespace plumb::fast {

void ResourceManager::Clear(const std::string& container) {
  decltype(resources_) dropped;  // destroyed after the lock is released: a resource may own others
  std::lock_guard lock(mutex_);
  for (auto it = resources_.begin(); it != resources_.end();) {
    const auto next = std::next(it);
    if (std::get<0>(it->first) == container) dropped.insert(resources_.extract(it));
    it = next;
  }
}

void ResourceManager::ClearAll() {
  decltype(resources_) dropped;
  std::lock_guard lock(mutex_);
  dropped.swap(resources_);
}

}  // namespace plumb::fast
