// What the kernels of resource variables share (rules R40–R48).
#pragma once

#include <memory>
#include <string>

#include "fastpath/device/variable_access.h"

namespace plumb::fast::cpu {

// The handle is input 0.
class ResourceKernel : public Kernel {
 public:
  explicit ResourceKernel(const Node& node) : node_(node.name), lookup_(node.device) {}

 protected:
  // Throws kNotFound when there is none (R43, R44, R48).
  std::shared_ptr<ResourceVariable> Existing(KernelContext& context) {
    auto variable = lookup_.Find(context, context.input(0));
    if (variable == nullptr) throw NotFound("resource ", NameIn(context), " does not exist");
    return variable;
  }
  std::string NameIn(KernelContext& context) const {
    const ResourceHandle& handle = HandleIn(context.input(0), kVariableTypeName);
    return Str(handle.container, "/", handle.name);
  }
  void RequireType(DType held, DType wanted) const {
    Require(held == wanted, "the variable holds ", DTypeName(held), ", not ", DTypeName(wanted));
  }

  const std::string node_;
  VariableLookup lookup_;
};

}  // namespace plumb::fast::cpu
