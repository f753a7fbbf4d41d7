// Variables behind references (R10–R22).
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/update.h"
#include "fastpath/device/kernel.h"
#include "fastpath/device/variable_access.h"

namespace plumb::fast::cpu {
namespace {

// VariableV2 and Variable. R10: created when first run; running it only yields the reference.
class VariableKernel : public Kernel {
 public:
  explicit VariableKernel(const Node& node)
      : node_(node.name), key_(ResourceNameOf(node, node.name)), dtype_(GetAttr<DType>(node.attrs, "dtype")) {
    const auto& shape = GetAttr<PartialShape>(node.attrs, "shape");
    if (!shape.has_rank()) return;  // R12: taken for a scalar
    Require(shape.IsFullyDefined(), "the shape ", Printed(shape), " of a variable must be fully known");
    declared_ = shape.ToShape();
  }

  void Run(KernelContext& context) override {
    std::shared_ptr<Variable> variable = Remembered();
    if (variable == nullptr) variable = Create(context);
    variable->ComeHere();
    context.SetOutputRef(0, std::move(variable));
  }

 private:
  std::shared_ptr<Variable> Remembered() {
    MutexLock lock(mutex_);
    return variable_.lock();
  }

  std::shared_ptr<Variable> Create(KernelContext& context) {
    auto variable = context.resources().FindOrCreate<Variable>(key_);
    variable->Declare(dtype_, declared_);
    if (variable->dtype() != dtype_) {  // R4, T5
      throw Internal("variable ", key_.name, " exists with type ", DTypeName(variable->dtype()), ", not ",
                     DTypeName(dtype_));
    }
    MutexLock lock(mutex_);
    variable_ = variable;
    return variable;
  }

  const std::string node_;
  const ResourceName key_;
  const DType dtype_;
  Shape declared_;
  Mutex mutex_;
  RememberedResource<Variable> variable_ PLUMB_GUARDED_BY(mutex_);
};

class AssignKernel : public Kernel {
 public:
  explicit AssignKernel(const Node& node)
      : node_(node.name), validate_shape_(GetAttrOr(node.attrs, "validate_shape", true)) {}

  void Run(KernelContext& context) override {
    if (!context.input(1).IsSet()) {
      throw Internal("the value that is assigned is a variable that is not initialized");
    }
    context.ref(0).Assign(node_, context.TakeInput(1), validate_shape_);
    context.SetOutputRef(0, context.shared_ref(0));
  }

 private:
  const std::string node_;
  const bool validate_shape_;
};

// R22: AssignAdd and AssignSub, in place, without broadcasting.
class AssignUpdateKernel : public Kernel {
 public:
  AssignUpdateKernel(const Node& node, Update update) : node_(node.name), update_(update) {}

  void Run(KernelContext& context) override {
    const Tensor& value = context.input(1);
    {
      VariableUpdate update(node_, context.ref(0));
      const Shape& shape = update.Value().shape();
      Require(shape == value.shape(), "a value of shape ", Printed(value.shape()),
              " cannot update a variable of shape ", Printed(shape));
      UpdateInto(context.pool(), update_, update.Writable(), value);
    }
    context.SetOutputRef(0, context.shared_ref(0));
  }

 private:
  const std::string node_;
  const Update update_;
};

class RefIdentityKernel final : public Kernel {
 public:
  explicit RefIdentityKernel(const Node& /*node*/) {}
  void Run(KernelContext& context) override { context.SetOutputRef(0, context.shared_ref(0)); }
};

class IsVariableInitializedKernel : public Kernel {
 public:
  explicit IsVariableInitializedKernel(const Node& /*node*/) {}
  void Run(KernelContext& context) override {
    const bool initialized = context.ref(0).IsInitialized();
    context.AllocateOutput(0, DType::kBool, Shape()).mutable_data<bool>()[0] = initialized;
  }
};

constexpr KernelRow kRows[] = {
    {"Variable", Make<VariableKernel>},
    {"VariableV2", Make<VariableKernel>},
    {"RefIdentity", Make<RefIdentityKernel>},
    {"IsVariableInitialized", Make<IsVariableInitializedKernel>},
    {"Assign", Make<AssignKernel>},
    {"AssignAdd", MakeWith<AssignUpdateKernel, Update::kAdd>},
    {"AssignSub", MakeWith<AssignUpdateKernel, Update::kSubtract>},
};

}  // namespace

std::span<const KernelRow> StateVariable() { return kRows; }

}  // namespace plumb::fast::cpu
