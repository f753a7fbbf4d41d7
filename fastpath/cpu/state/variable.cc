// Variables behind references (R10–R22).
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/update.h"
#include "fastpath/cpu/lib/variable_access.h"
#include "fastpath/cpu/topics.h"

namespace plumb::fast::cpu {
namespace {

// VariableV2 and Variable. R10: created when first run; running it only yields the reference.
class VariableKernel : public Kernel {
 public:
  explicit VariableKernel(const Node& node)
      : node_(node.name), key_(ResourceNameOf(node, node.name)), dtype_(GetAttr<DType>(node.attrs, "dtype")) {
    const auto& shape = GetAttr<PartialShape>(node.attrs, "shape");
    // R12: an unknown rank is taken for a scalar's slot.
    declared_ = shape.has_rank() ? shape : PartialShape(Shape());
    Require(declared_.IsFullyDefined(), "node ", node.name, ": the shape ", Printed(shape),
            " of a variable must be fully known");
  }

  void Run(KernelContext& context) override {
    std::shared_ptr<Variable> variable = Remembered();
    if (variable == nullptr) variable = Create(context);
    context.SetOutputRef(0, std::move(variable));
  }

 private:
  std::shared_ptr<Variable> Remembered() {
    std::lock_guard lock(mutex_);
    return variable_.lock();
  }

  std::shared_ptr<Variable> Create(KernelContext& context) {
    auto variable = context.resources().FindOrCreate<Variable>(key_.container, key_.name);
    {
      std::lock_guard lock(variable->mutex);
      if (variable->dtype == DType::kInvalid) {
        variable->dtype = dtype_;
        variable->declared = declared_;
      }
      if (variable->dtype != dtype_) {  // R4, T5
        throw Internal("node ", node_, ": variable ", key_.name, " exists with type ", DTypeName(variable->dtype),
                       ", not ", DTypeName(dtype_));
      }
    }
    std::lock_guard lock(mutex_);
    variable_ = variable;
    return variable;
  }

  const std::string node_;
  const ResourceName key_;
  const DType dtype_;
  PartialShape declared_;
  std::mutex mutex_;
  RememberedResource<Variable> variable_;  // GUARDED_BY(mutex_)
};

class AssignKernel : public Kernel {
 public:
  explicit AssignKernel(const Node& node)
      : node_(node.name), validate_shape_(GetAttrOr(node.attrs, "validate_shape", true)) {}

  void Run(KernelContext& context) override {
    Variable& variable = context.ref(0);
    const Tensor& value = context.input(1);
    {
      std::lock_guard lock(variable.mutex);
      // R20: an uninitialised slot has its declared shape.
      const PartialShape current = variable.tensor.IsSet() ? PartialShape(variable.tensor.shape()) : variable.declared;
      Require(!validate_shape_ || current == PartialShape(value.shape()), "node ", node_, ": a value of shape ",
              Printed(value.shape()), " cannot be assigned to a variable of shape ", Printed(current));
      variable.tensor = value;
    }
    context.SetOutputRef(0, context.shared_ref(0));
  }

 private:
  const std::string node_;
  const bool validate_shape_;
};

// R22: AssignAdd and AssignSub, in place, without broadcasting.
class AssignUpdateKernel : public Kernel {
 public:
  AssignUpdateKernel(const Node& node, Update update) : node_(node.name), update_(update) {
    if (!CanUpdate(InputType(node, 1))) ThrowNoKernel(node);
  }

  void Run(KernelContext& context) override {
    Variable& variable = context.ref(0);
    const Tensor& value = context.input(1);
    {
      std::lock_guard lock(variable.mutex);
      const Shape& shape = ValueOf(variable, node_).shape();
      Require(shape == value.shape(), "node ", node_, ": a value of shape ", Printed(value.shape()),
              " cannot update a variable of shape ", Printed(shape));
      UpdateInto(context.pool(), update_, WritableValueOf(variable, node_), value);
    }
    context.SetOutputRef(0, context.shared_ref(0));
  }

 private:
  const std::string node_;
  const Update update_;
};

class IsVariableInitializedKernel : public Kernel {
 public:
  explicit IsVariableInitializedKernel(const Node& /*node*/) {}
  void Run(KernelContext& context) override {
    Variable& variable = context.ref(0);
    bool initialized = false;
    {
      std::lock_guard lock(variable.mutex);
      initialized = variable.IsInitialized();
    }
    context.AllocateOutput(0, DType::kBool, Shape()).mutable_data<bool>()[0] = initialized;
  }
};

constexpr KernelRow kRows[] = {
    {"Variable", Make<VariableKernel>},
    {"VariableV2", Make<VariableKernel>},
    {"IsVariableInitialized", Make<IsVariableInitializedKernel>},
    {"Assign", Make<AssignKernel>},
    {"AssignAdd", MakeWith<AssignUpdateKernel, Update::kAdd>},
    {"AssignSub", MakeWith<AssignUpdateKernel, Update::kSubtract>},
};

}  // namespace

std::span<const KernelRow> StateVariable() { return kRows; }

}  // namespace plumb::fast::cpu
