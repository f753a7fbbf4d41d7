// Handles to objects that live in containers (rules R1–R7), in both forms: a handle, or a reference to the strings
// (container, name), as older ops have it (rule Q5).
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/variable_access.h"

namespace plumb::fast::cpu {

// R2, R3: where the object of this node lives. Without a shared name it is the node's own, under a name that no shared
// name can be.
inline ResourceName PrivateNameOf(const Node& node) { return ResourceNameOf(node, "_" + node.name); }

// The output of a node that gives a handle, made once.
class HandleOutput {
 public:
  HandleOutput(const Node& node, const ResourceName& name, const char* type_name) {
    if (IsRef(node.output_types.at(0))) {
      strings_ = std::make_shared<Variable>();
      strings_->Declare(DType::kString, {2});
      strings_->Assign(node.name, MakeVector<std::string>({name.container, name.name}), /*keeps_shape=*/true);
      return;
    }
    ResourceHandle handle;
    handle.device = name.device;
    handle.container = name.container;
    handle.name = name.name;
    handle.type_name = type_name;
    handle_ = MakeScalar(std::move(handle));
  }

  void Set(KernelContext& context) const {
    if (strings_ != nullptr) return context.SetOutputRef(0, strings_);
    context.SetOutput(0, handle_);
  }

 private:
  Tensor handle_;
  std::shared_ptr<Variable> strings_;
};

// Finds what the handle at an input names, the first one where nothing else is said.
class NamedLookup {
 public:
  NamedLookup(const Node& node, const char* type_name, int input = 0)
      : node_(node.name), device_(node.device), type_name_(type_name), input_(input) {}

  // The object of class T; kNotFound when there is none.
  template <class T>
  std::shared_ptr<T> Find(KernelContext& context) const {
    if (context.shared_ref(input_) == nullptr) {
      const ResourceHandle& handle = HandleOn(device_, context.input(input_), type_name_);
      return FindKey<T>(context, {handle.device, handle.container, handle.name});
    }
    const Tensor strings = Unaliased(context.ref(input_).Read(node_));
    Require(strings.dtype() == DType::kString && strings.elements() == 2, "a handle to a ", type_name_,
            " has two strings, not shape ", Printed(strings.shape()));
    return FindKey<T>(context, {device_, strings.data<std::string>()[0], strings.data<std::string>()[1]});
  }

 private:
  template <class T>
  std::shared_ptr<T> FindKey(KernelContext& context, const ResourceKey& key) const {
    auto resource = context.resources().Find<T>(key);
    if (resource == nullptr) {
      throw NotFound("there is no ", type_name_, " '", key.name, "' in the container '", key.container, "'");
    }
    return resource;
  }

  const std::string node_, device_;
  const char* const type_name_;
  const int input_;
};

}  // namespace plumb::fast::cpu
