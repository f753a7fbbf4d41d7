// State that outlives a node on the fast path: variables and other named objects in containers.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <typeinfo>

#include "spec/core/tensor.h"
#include "spec/core/thread_annotations.h"

namespace plumb::fast {

class Resource {
 public:
  virtual ~Resource() = default;
  // Whether it was taken out of its container (rules R5, R47): who still holds it may end what it began, and nobody may
  // begin anything with it.
  bool is_dropped() const { return is_dropped_.load(std::memory_order_acquire); }

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

// A variable's slot. Every access takes the lock; updates write in place only when nobody else holds the buffer, so a
// reader's tensor is a snapshot (rule R32).
struct Variable : Resource {
  std::mutex mutex;
  Tensor tensor;  // GUARDED_BY(mutex); unset: uninitialised
  DType dtype = DType::kInvalid;
  PartialShape declared;
  // R11: true from birth when the declared shape has no elements.
  bool IsInitialized() const {
    return tensor.IsSet() || (declared.IsFullyDefined() && declared.ToShape().elements() == 0);
  }
};

// What a resource handle names: the same slot, under another type, so that equal names do not meet (rule R1).
struct ResourceVariable : Variable {};

// Resources by (container, type, name) (rule R1). Thread-safe.
class ResourceManager {
 public:
  template <class T>
  std::shared_ptr<T> Find(const std::string& container, const std::string& name) {
    MutexLock lock(mutex_);
    const auto found = resources_.find({container, typeid(T).name(), name});
    return found == resources_.end() ? nullptr : std::static_pointer_cast<T>(found->second);
  }
  template <class T>
  std::shared_ptr<T> FindOrCreate(const std::string& container, const std::string& name) {
    MutexLock lock(mutex_);
    auto& resource = resources_[{container, typeid(T).name(), name}];
    if (resource == nullptr) resource = std::make_shared<T>();
    return std::static_pointer_cast<T>(resource);
  }
  template <class T>
  bool Remove(const std::string& container, const std::string& name) {
    return Drop(container, typeid(T).name(), name);
  }
  void Clear(const std::string& container);
  void ClearAll();

 private:
  using Key = std::tuple<std::string, std::string, std::string>;
  using Map = std::map<Key, std::shared_ptr<Resource>>;
  bool Drop(const std::string& container, const std::string& type, const std::string& name);
  static void MarkDropped(const Map& resources);

  Mutex mutex_;
  Map resources_ PLUMB_GUARDED_BY(mutex_);
};

}  // namespace plumb::fast
