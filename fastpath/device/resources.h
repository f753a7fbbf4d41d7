// State that outlives a node on the fast path: variables and other named objects in containers.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <typeinfo>

#include "spec/core/tensor.h"

namespace plumb::fast {

class Resource {
 public:
  virtual ~Resource() = default;
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
    std::lock_guard lock(mutex_);
    const auto found = resources_.find({container, typeid(T).name(), name});
    return found == resources_.end() ? nullptr : std::static_pointer_cast<T>(found->second);
  }
  template <class T>
  std::shared_ptr<T> FindOrCreate(const std::string& container, const std::string& name) {
    std::lock_guard lock(mutex_);
    auto& resource = resources_[{container, typeid(T).name(), name}];
    if (resource == nullptr) resource = std::make_shared<T>();
    return std::static_pointer_cast<T>(resource);
  }
  template <class T>
  bool Remove(const std::string& container, const std::string& name) {
    std::lock_guard lock(mutex_);
    return resources_.erase({container, typeid(T).name(), name}) > 0;
  }
  void Clear(const std::string& container);
  void ClearAll();

 private:
  std::mutex mutex_;
  std::map<std::tuple<std::string, std::string, std::string>, std::shared_ptr<Resource>> resources_;
};

}  // namespace plumb::fast
