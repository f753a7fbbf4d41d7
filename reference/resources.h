// What outlives a node: variables and other objects in containers (rules R1–R7), and per-step objects (rule R6).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "reference/value.h"

namespace plumb::reference {

// Anything that lives in a container under a name. Subclasses: Slot (variables), stacks, tensor arrays, …
class Resource {
 public:
  virtual ~Resource() = default;
};

// A variable: what a ref edge points to (rules R10, E3), or what a handle names (rule R40).
struct Slot : Resource {
  DType dtype = DType::kInvalid;
  PartialShape declared;       // shape attribute of the op
  std::optional<Value> value;  // absent: no buffer yet

  // R11: a slot has a value from birth when its declared shape has no elements.
  bool IsInitialized() const;
};

// The container of resources whose op names none (rule R1).
inline constexpr char kDefaultContainer[] = "localhost";

// Resources by (container, type, name): equal names of different types coexist (rule R1).
class ResourceStore {
 public:
  template <class T>
  T* Find(const std::string& container, const std::string& name) {
    const auto found = resources_.find({container, typeid(T).name(), name});
    return found == resources_.end() ? nullptr : static_cast<T*>(found->second.get());
  }
  template <class T>
  T& FindOrCreate(const std::string& container, const std::string& name) {
    auto& resource = resources_[{container, typeid(T).name(), name}];
    if (resource == nullptr) resource = std::make_shared<T>();
    return static_cast<T&>(*resource);
  }
  // The resource itself, so that references to it may outlive its name; null when there is none.
  template <class T>
  std::shared_ptr<T> Share(const std::string& container, const std::string& name) {
    const auto found = resources_.find({container, typeid(T).name(), name});
    return found == resources_.end() ? nullptr : std::static_pointer_cast<T>(found->second);
  }
  template <class T>
  bool Remove(const std::string& container, const std::string& name) {
    return resources_.erase({container, typeid(T).name(), name}) > 0;
  }
  // R5: drops everything in a container.
  void Clear(const std::string& container);

 private:
  std::map<std::tuple<std::string, std::string, std::string>, std::shared_ptr<Resource>> resources_;
};

}  // namespace plumb::reference
