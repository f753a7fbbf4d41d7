// Variables behind references: VariableV2, Assign and its kin, CountUpTo (rules R10–R27).
#include "fastpath/cpu/lib/update.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/families.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/variable_access.h"

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
  std::weak_ptr<Variable> variable_;  // GUARDED_BY(mutex_)
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

// R25.
template <class T>
class CountUpToKernel : public Kernel {
 public:
  explicit CountUpToKernel(const Node& node) : node_(node.name), limit_(GetAttr<int64_t>(node.attrs, "limit")) {}

  void Run(KernelContext& context) override {
    Variable& variable = context.ref(0);
    Tensor& before = context.AllocateOutput(0, DTypeOf<T>, Shape());
    std::lock_guard lock(variable.mutex);
    const Tensor& value = ValueOf(variable, node_);
    Require(value.rank() == 0, "node ", node_, ": a scalar is counted up, not shape ", Printed(value.shape()));
    const T count = value.data<T>()[0];
    if (count >= limit_) throw OutOfRange("node ", node_, ": Reached limit of ", limit_);
    before.mutable_data<T>()[0] = count;
    WritableValueOf(variable, node_).mutable_data<T>()[0] = count + 1;
  }

 private:
  const std::string node_;
  const int64_t limit_;
};

std::unique_ptr<Kernel> MakeCountUpTo(const Node& node) {
  if (GetAttr<DType>(node.attrs, "T") == DType::kInt32) return std::make_unique<CountUpToKernel<int32_t>>(node);
  return std::make_unique<CountUpToKernel<int64_t>>(node);
}

// R23: ScatterAdd and ScatterSub. Every index is checked before anything is written.
class ScatterUpdateKernel : public Kernel {
 public:
  ScatterUpdateKernel(const Node& node, Update update) : node_(node.name), update_(update) {
    if (!CanUpdate(InputType(node, 2))) ThrowNoKernel(node);
  }

  void Run(KernelContext& context) override {
    Variable& variable = context.ref(0);
    const Tensor& updates = context.input(2);
    const std::vector<int64_t> indices = ToInt64s(context.input(1));
    {
      std::lock_guard lock(variable.mutex);
      const Shape shape = ValueOf(variable, node_).shape();
      CheckShapes(shape, context.input(1).shape(), updates.shape());
      for (size_t i = 0; i < indices.size(); ++i) {
        Require(indices[i] >= 0 && indices[i] < shape[0], "node ", node_, ": indices[", i, "] = ", indices[i],
                " is not in [0, ", shape[0], ")");
      }
      if (!indices.empty()) UpdateRows(update_, WritableValueOf(variable, node_), indices, updates);
    }
    context.SetOutputRef(0, context.shared_ref(0));
  }

 private:
  void CheckShapes(const Shape& variable, const Shape& indices, const Shape& updates) const {
    Require(variable.rank() >= 1, "node ", node_, ": rows of a scalar cannot be updated");
    if (updates.rank() == 0) return;
    std::vector<int64_t> wanted = indices.ToVector();
    wanted.insert(wanted.end(), variable.dims().begin() + 1, variable.dims().end());
    Require(updates.ToVector() == wanted, "node ", node_, ": updates of shape ", Printed(updates),
            " do not fit indices of shape ", Printed(indices), " into a variable of shape ", Printed(variable));
  }

  const std::string node_;
  const Update update_;
};

template <class K, Update update>
std::unique_ptr<Kernel> MakeUpdate(const Node& node) {
  return std::make_unique<K>(node, update);
}
constexpr KernelRow kRefRows[] = {
    {"VariableV2", Make<VariableKernel>},
    {"Variable", Make<VariableKernel>},
    {"Assign", Make<AssignKernel>},
    {"AssignAdd", MakeUpdate<AssignUpdateKernel, Update::kAdd>},
    {"AssignSub", MakeUpdate<AssignUpdateKernel, Update::kSubtract>},
    {"IsVariableInitialized",
     [](const Node&) -> std::unique_ptr<Kernel> { return std::make_unique<IsVariableInitializedKernel>(); }},
    {"CountUpTo", MakeCountUpTo},
    {"ScatterAdd", MakeUpdate<ScatterUpdateKernel, Update::kAdd>},
    {"ScatterSub", MakeUpdate<ScatterUpdateKernel, Update::kSubtract>},
};

}  // namespace

std::span<const KernelRow> CpuStateKernels() {
  static const std::vector<KernelRow> rows = JoinRows({kRefRows, ResourceVariableKernels()});
  return rows;
}

}  // namespace plumb::fast::cpu
