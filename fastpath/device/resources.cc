#include "fastpath/device/resources.h"

#include <algorithm>

namespace plumb::fast {

void Resource::Save(const StateWriter&) const { throw Unimplemented("this kind of resource cannot be saved"); }
void Resource::Restore(const StateReader&) { throw Unimplemented("this kind of resource cannot be restored"); }

void ResourceManager::Save(const StateWriter& writer, std::span<const ResourceKind> kinds) {
  MutexLock lock(mutex_);
  for (const auto& [key, resource] : resources_) {
    const auto& [device, container, type, name] = key;
    const auto kind =
        std::find_if(kinds.begin(), kinds.end(), [&type = type](const ResourceKind& k) { return k.type == type; });
    if (kind == kinds.end()) throw Unimplemented("the resource '", name, "' is of a kind that cannot be saved");
    resource->Save(writer.Under(Str(PathPart(device), "/", PathPart(container), "/", kind->name, "/", PathPart(name))));
  }
}

void ResourceManager::Restore(const SavedState& state, std::string_view path, std::span<const ResourceKind> kinds) {
  Map restored;  // all of them or none
  MutexLock lock(mutex_);
  for (auto entry = state.lower_bound(path); entry != state.end() && entry->first.starts_with(path); ++entry) {
    std::string_view rest = std::string_view(entry->first).substr(path.size());
    const std::string_view device = TakePart(rest), container = TakePart(rest);
    const std::string_view kind_name = TakePart(rest), name = TakePart(rest);
    const auto kind =
        std::find_if(kinds.begin(), kinds.end(), [&](const ResourceKind& k) { return k.name == kind_name; });
    if (kind == kinds.end()) throw DataLoss("the saved state holds a resource of the unknown kind '", kind_name, "'");
    auto& resource = restored[{NameOfPart(device), NameOfPart(container), kind->type, NameOfPart(name)}];
    if (resource != nullptr) continue;  // several entries are of one resource
    resource = kind->make();
    resource->Restore(StateReader(state, Str(path, device, "/", container, "/", kind_name, "/", name, "/")));
  }
  resources_.merge(restored);
}

// What is dropped is destroyed after the lock is released: a resource may own others.
void ResourceManager::Clear(const std::string& container) {
  Map dropped;
  MutexLock lock(mutex_);
  for (auto it = resources_.begin(); it != resources_.end();) {
    const auto next = std::next(it);
    if (std::get<1>(it->first) == container) dropped.insert(resources_.extract(it));
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

bool ResourceManager::Drop(const KeyView& key) {
  Map dropped;
  MutexLock lock(mutex_);
  const auto found = resources_.find(key);
  if (found == resources_.end()) return false;
  dropped.insert(resources_.extract(found));
  MarkDropped(dropped);
  return true;
}

void ResourceManager::MarkDropped(const Map& resources) {
  for (const auto& [key, resource] : resources) resource->is_dropped_.store(true, std::memory_order_release);
}

}  // namespace plumb::fast
