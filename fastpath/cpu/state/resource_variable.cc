// Variables behind resource handles (R40–R48).
#include <atomic>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/resource_kernel.h"
#include "fastpath/cpu/lib/state/update.h"
#include "fastpath/device/kernel.h"
#include "fastpath/device/variable_access.h"
#include "spec/session/anonymous_name.h"

namespace plumb::fast::cpu {
namespace {

// R40: only the handle; no variable exists until it is assigned.
class VarHandleKernel : public Kernel {
 public:
  explicit VarHandleKernel(const Node& node) : handle_(DType::kResource, Shape()) {
    ResourceHandle& handle = handle_.mutable_data<ResourceHandle>()[0];
    handle.device = node.device;
    const std::string container = GetAttrOr<std::string>(node.attrs, "container", "");  // R2, R3: no rule for names
    handle.container = container.empty() ? "localhost" : container;
    handle.name = GetAttrOr<std::string>(node.attrs, "shared_name", "");
    handle.type_name = kVariableTypeName;
    handle.dtype = GetAttr<DType>(node.attrs, "dtype");
    handle.shape_text = GetAttr<PartialShape>(node.attrs, "shape").ToString();
    is_anonymous_ = handle.name == kAnonymousName;
    if (is_anonymous_) {
      handle.container = kAnonymousContainer;
      handle.name = node.name;
    }
  }
  void Run(KernelContext& context) override {
    if (!is_anonymous_) return context.SetOutput(0, handle_);
    static std::atomic<int64_t> made{0};
    Tensor handle = handle_.Clone();
    std::string& name = handle.mutable_data<ResourceHandle>()[0].name;
    name += Str("_", made.fetch_add(1, std::memory_order_relaxed));
    context.SetOutput(0, std::move(handle));
  }

 private:
  bool is_anonymous_ = false;
  Tensor handle_;
};

// R42.
class ReadVariableKernel : public ResourceKernel {
 public:
  explicit ReadVariableKernel(const Node& node) : ResourceKernel(node), dtype_(GetAttr<DType>(node.attrs, "dtype")) {}

  void Run(KernelContext& context) override {
    const auto variable = lookup_.Find(context, context.input(0));
    if (variable == nullptr || !variable->IsInitialized()) {
      throw FailedPrecondition("Error while reading resource variable ", NameIn(context),
                               ": it was never assigned; run its initializer first");
    }
    Tensor value = variable->Read(node_);
    RequireType(value.dtype(), dtype_);
    context.SetOutput(0, std::move(value));
  }

 private:
  const DType dtype_;
};

// R41: takes the value as it is, in any shape; the type may not change.
class AssignVariableKernel : public ResourceKernel {
 public:
  explicit AssignVariableKernel(const Node& node)
      : ResourceKernel(node), validate_shape_(GetAttrOr(node.attrs, "validate_shape", false)) {}

  void Run(KernelContext& context) override {
    lookup_.FindOrCreate(context, context.input(0))->Assign(node_, context.input(1), validate_shape_);
  }
  bool KeepsAliases() const override { return true; }

 private:
  const bool validate_shape_;
};

// R43: AssignAddVariableOp and AssignSubVariableOp.
class AssignUpdateVariableKernel : public ResourceKernel {
 public:
  AssignUpdateVariableKernel(const Node& node, Update update) : ResourceKernel(node), update_(update) {}

  void Run(KernelContext& context) override {
    const Tensor& value = context.input(1);
    const auto variable = Existing(context);
    VariableUpdate update(node_, *variable);
    const Tensor& current = update.Value();
    RequireType(current.dtype(), value.dtype());
    Require(current.shape() == value.shape(), "a value of shape ", Printed(value.shape()),
            " cannot update a variable of shape ", Printed(current.shape()));
    UpdateInto(context.pool(), update_, update.Writable(), value);
  }

 private:
  const Update update_;
};

// R47.
class DestroyResourceKernel final : public Kernel {
 public:
  explicit DestroyResourceKernel(const Node& node)
      : device_(node.device), ignores_absence_(GetAttrOr(node.attrs, "ignore_lookup_error", true)) {}

  void Run(KernelContext& context) override {
    const ResourceHandle& handle = HandleOn(device_, context.input(0), kVariableTypeName);
    if (RemoveVariable(context, handle) || ignores_absence_) return;
    throw NotFound("resource ", handle.container, "/", handle.name, " does not exist");
  }

 private:
  const std::string device_;
  const bool ignores_absence_;
};

class VarIsInitializedKernel : public ResourceKernel {
 public:
  using ResourceKernel::ResourceKernel;

  void Run(KernelContext& context) override {
    const auto variable = lookup_.Find(context, context.input(0));
    const bool initialized = variable != nullptr && variable->IsInitialized();
    context.AllocateOutput(0, DType::kBool, Shape()).mutable_data<bool>()[0] = initialized;
  }
};

// R48.
class VariableShapeKernel : public ResourceKernel {
 public:
  explicit VariableShapeKernel(const Node& node) : ResourceKernel(node), dtype_(OutputType(node, 0)) {}

  void Run(KernelContext& context) override {
    const Shape shape = Existing(context)->shape();
    Tensor& output = context.AllocateOutput(0, dtype_, {shape.rank()});
    for (int axis = 0; axis < shape.rank(); ++axis) {
      if (dtype_ == DType::kInt64) {
        output.mutable_data<int64_t>()[axis] = shape.dim(axis);
      } else {
        Require(shape.dim(axis) <= INT32_MAX, "the variable's dimension ", shape.dim(axis), " does not fit into int32");
        output.mutable_data<int32_t>()[axis] = static_cast<int32_t>(shape.dim(axis));
      }
    }
  }

 private:
  const DType dtype_;
};

// A hint that changes no value: readers of rows and those who change them meet without it.
class DisableCopyOnReadKernel : public ResourceKernel {
 public:
  using ResourceKernel::ResourceKernel;
  void Run(KernelContext& context) override {
    if (lookup_.Find(context, context.input(0)) != nullptr) return;
    throw FailedPrecondition("resource ", NameIn(context), " does not exist");
  }
};

constexpr KernelRow kRows[] = {
    {"VarHandleOp", Make<VarHandleKernel>},
    {"VarIsInitializedOp", Make<VarIsInitializedKernel>},
    {"ReadVariableOp", Make<ReadVariableKernel>},
    {"VariableShape", Make<VariableShapeKernel>},
    {"AssignVariableOp", Make<AssignVariableKernel>},
    {"AssignAddVariableOp", MakeWith<AssignUpdateVariableKernel, Update::kAdd>},
    {"AssignSubVariableOp", MakeWith<AssignUpdateVariableKernel, Update::kSubtract>},
    {"DisableCopyOnRead", Make<DisableCopyOnReadKernel>},
    {"DestroyResourceOp", Make<DestroyResourceKernel>},
};

}  // namespace

std::span<const KernelRow> StateResourceVariable() { return kRows; }

}  // namespace plumb::fast::cpu
