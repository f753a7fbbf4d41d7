// State that outlives a node on the fast path: named objects in containers.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>

#include "spec/core/thread_annotations.h"
#include "spec/session/saved_state.h"

namespace plumb::fast {

class Resource {
 public:
  virtual ~Resource() = default;
  // Whether it was taken out of its container (rules R5, R47): who still holds it may end what it began, and nobody may
  // begin anything with it.
  bool is_dropped() const { return is_dropped_.load(std::memory_order_acquire); }
  // What it holds, written down, and taken up by a new one of its class. Nobody uses it meanwhile.
  virtual void Save(const StateWriter& writer) const;
  virtual void Restore(const StateReader& reader);

 private:
  friend class ResourceManager;
  std::atomic<bool> is_dropped_{false};
};

// What a kernel remembers of the resource that it found last, so that a repeated step looks nothing up. The resource
// does not live for it.
template <class T>
class RememberedResource {
 public:
  RememberedResource& operator=(const std::shared_ptr<T>& resource) {
    resource_ = resource;
    return *this;
  }
  // Null when it is gone: destroyed, or dropped and kept alive by somebody who is using it.
  std::shared_ptr<T> lock() const {
    auto resource = resource_.lock();
    if (resource != nullptr && resource->is_dropped()) resource = nullptr;
    return resource;
  }

 private:
  std::weak_ptr<T> resource_;
};

// A class of resources that a saved session may hold: what it is called there, and how one is made.
struct ResourceKind {
  std::string_view name;
  const char* type;  // typeid(T).name()
  std::shared_ptr<Resource> (*make)();
};
template <class T>
ResourceKind KindOf(std::string_view name) {
  return {name, typeid(T).name(), [] { return std::shared_ptr<Resource>(std::make_shared<T>()); }};
}

// What a resource is found by, besides its class (rule R1). Objects of a step are on no device.
struct ResourceKey {
  std::string_view device;
  std::string_view container;
  std::string_view name;
};

// Resources by (device, container, type, name) (rule R1). Thread-safe.
class ResourceManager {
 public:
  template <class T>
  std::shared_ptr<T> Find(const ResourceKey& key) {
    MutexLock lock(mutex_);
    const auto found = resources_.find(View(key, typeid(T).name()));
    return found == resources_.end() ? nullptr : std::static_pointer_cast<T>(found->second);
  }
  template <class T>
  std::shared_ptr<T> FindOrCreate(const ResourceKey& key) {
    MutexLock lock(mutex_);
    const auto found = resources_.find(View(key, typeid(T).name()));
    if (found != resources_.end()) return std::static_pointer_cast<T>(found->second);
    auto resource = std::make_shared<T>();
    resources_.emplace(View(key, typeid(T).name()), resource);
    return resource;
  }
  template <class T>
  bool Remove(const ResourceKey& key) {
    return Drop(View(key, typeid(T).name()));
  }
  // R5: on all devices.
  void Clear(const std::string& container);
  void ClearAll();

  // All resources, under "device/container/kind/name"; kUnimplemented for one of a kind that is not listed.
  void Save(const StateWriter& writer, std::span<const ResourceKind> kinds);
  // Into an empty manager; kDataLoss for what Save has not written.
  void Restore(const SavedState& state, std::string_view path, std::span<const ResourceKind> kinds);

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  using KeyView = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
  struct IsBefore {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return KeyView(a) < KeyView(b);
    }
  };
  using Map = std::map<Key, std::shared_ptr<Resource>, IsBefore>;
  static KeyView View(const ResourceKey& key, std::string_view type) {
    return {key.device, key.container, type, key.name};
  }
  bool Drop(const KeyView& key);
  static void MarkDropped(const Map& resources);

  Mutex mutex_;
  Map resources_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
