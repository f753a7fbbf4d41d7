// What outlives a node: variables and other objects in containers (rules R1–R7), and per-step objects (rule R6).
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>

#include "spec/core/status.h"
#include "spec/session/saved_state.h"

namespace plumb::reference {

class Copies;

// Anything that lives in a container under a name. Subclasses: variables, stacks, tensor arrays, …
class Resource {
 public:
  virtual ~Resource() = default;
  // A copy that shares nothing which changes: what happens to either does not show in the other. Other resources that
  // this one refers to are taken from `copies`.
  virtual std::shared_ptr<Resource> Clone(Copies& copies) const = 0;
  // What it holds, written down, and taken up by a new one of its class.
  virtual void Save(const StateWriter& writer) const;
  virtual void Restore(const StateReader& reader);
};

// The copies of one fork of a world: each resource has one, whoever refers to it.
class Copies {
 public:
  template <class T>
  std::shared_ptr<T> Of(const std::shared_ptr<T>& original) {
    if (original == nullptr) return nullptr;
    std::shared_ptr<Resource>& copy = made_[original.get()];
    if (copy == nullptr) copy = original->Clone(*this);
    return std::static_pointer_cast<T>(copy);
  }

 private:
  std::unordered_map<const Resource*, std::shared_ptr<Resource>> made_;
};

// Clones T by its copy constructor: for a T that owns all that it changes.
template <class T, class Base = Resource>
class ClonedByCopy : public Base {
 public:
  std::shared_ptr<Resource> Clone(Copies&) const override { return std::make_shared<T>(static_cast<const T&>(*this)); }
};

// What kernels wait at: a queue, a barrier, an accumulator, a mutex (rule E2). It keeps the attempts made at it, each
// under its ticket (OpContext::execution; later ones are higher), and serves them in the order that its own rules say:
// a queue's first come, first served. Whoever changes it serves all who can be served then.
class Waitable : public Resource {
 public:
  // Whether the attempt has an answer, so that its kernel shall run again and fetch it.
  virtual bool IsServed(int64_t ticket) const = 0;
  // What an attempt without an answer waits for, in one line: "queue 'q': 3 elements wanted, 1 there".
  virtual std::string WaitsFor(int64_t ticket) const = 0;
  // Forgets an attempt whose step has ended, with what it holds (rule E5), and serves those behind it. It may be
  // forgotten already.
  virtual void Drop(int64_t ticket) = 0;
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

// The container of resources whose op names none (rule R1).
inline constexpr char kDefaultContainer[] = "localhost";

// What a resource is found by, besides its type (rule R1). Objects of a step are on no device.
struct ResourceName {
  std::string device;
  std::string container;
  std::string name;
};

// Resources by (device, container, type, name): equal names of different types coexist (rule R1).
class ResourceStore {
 public:
  template <class T>
  T* Find(const ResourceName& name) {
    return Share<T>(name).get();
  }
  template <class T>
  T& FindOrCreate(const ResourceName& name) {
    auto& resource = resources_[KeyOf<T>(name)];
    if (resource == nullptr) resource = std::make_shared<T>();
    return static_cast<T&>(*resource);
  }
  // The resource itself, so that references to it may outlive its name; null when there is none.
  template <class T>
  std::shared_ptr<T> Share(const ResourceName& name) {
    const auto found = resources_.find(KeyOf<T>(name));
    return found == resources_.end() ? nullptr : std::static_pointer_cast<T>(found->second);
  }
  template <class T>
  bool Remove(const ResourceName& name) {
    return resources_.erase(KeyOf<T>(name)) > 0;
  }
  // R5: drops everything in a container, on all devices.
  void Clear(const std::string& container);
  ResourceStore Clone(Copies& copies) const;
  // All resources, under "device/container/kind/name"; kUnimplemented for one of a kind that is not listed.
  void Save(const StateWriter& writer, std::span<const ResourceKind> kinds) const;
  // What lies under `path` into an empty store; kDataLoss for what Save has not written.
  void Restore(const SavedState& state, std::string_view path, std::span<const ResourceKind> kinds);

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  template <class T>
  static Key KeyOf(const ResourceName& name) {
    return {name.device, name.container, typeid(T).name(), name.name};
  }

  std::map<Key, std::shared_ptr<Resource>> resources_;
};

}  // namespace plumb::reference
