// What kernels of single variables share, behind references and behind handles (R22–R24, R43–R45).
#pragma once

#include <memory>
#include <string>

#include "fastpath/device/variable_access.h"
#include "fastpath/gpu/gpu_context.h"
#include "fastpath/gpu/gpu_inside.h"

namespace plumb::fast::GPU_NAMESPACE {

// The variable is input 0. Run works with a Variable's value as it lies in the device's memory
// (fastpath/memory/inside.h).
class VariableKernel : public GpuKernel {
 public:
  explicit VariableKernel(const Node& node)
      : node_(node.name), is_resource_(node.input_types[0] == DType::kResource), lookup_(node.device) {}

  void Run(GpuContext& context) final {
    const GpuInside inside(context.device());
    const InsideScope scope(inside);
    RunInside(context, *VariableOf(context));
    if (!is_resource_) context.kernel().SetOutputRef(0, context.kernel().shared_ref(0));
  }

 protected:
  virtual void RunInside(GpuContext& context, Variable& variable) = 0;

  void RequireType(DType held, DType wanted) const {
    Require(held == wanted, "the variable holds ", DTypeName(held), ", not ", DTypeName(wanted));
  }
  bool is_resource() const { return is_resource_; }

  const std::string node_;

 private:
  // Throws kNotFound where a handle leads to none (R43, R44, R48).
  std::shared_ptr<Variable> VariableOf(GpuContext& context) {
    KernelContext& kernel = context.kernel();
    if (!is_resource_) return kernel.shared_ref(0);
    auto variable = lookup_.Find(kernel, kernel.input(0));
    if (variable != nullptr) return variable;
    const ResourceHandle& handle = HandleIn(kernel.input(0), kVariableTypeName);
    throw NotFound("resource ", handle.container, "/", handle.name, " does not exist");
  }

  const bool is_resource_;
  VariableLookup lookup_;
};

}  // namespace plumb::fast::GPU_NAMESPACE
