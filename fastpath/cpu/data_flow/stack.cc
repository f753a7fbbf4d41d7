// Stacks, in which loops keep values for their gradients (K1).
#include <atomic>
#include <limits>
#include <mutex>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/variable_access.h"
#include "fastpath/cpu/topics.h"

namespace plumb::fast::cpu {
namespace {

constexpr const char* kStackContainer = "_stacks";
constexpr const char* kStackTypeName = "Stack";

class StackResource : public Resource {
 public:
  // Once, before anyone else sees the stack.
  void Initialize(DType dtype, int64_t limit) {
    dtype_ = dtype;
    limit_ = limit;
  }

  void Push(const std::string& node, const Tensor& value) {
    std::lock_guard lock(mutex_);
    RequireOpen(node);
    Require(value.dtype() == dtype_, "node ", node, ": the stack holds ", DTypeName(dtype_), ", not ",
            DTypeName(value.dtype()));
    Require(static_cast<int64_t>(values_.size()) < limit_, "node ", node, ": the stack is full, it may hold ", limit_);
    values_.push_back(value);
  }

  Tensor Pop(const std::string& node, DType wanted) {
    std::lock_guard lock(mutex_);
    RequireOpen(node);
    Require(!values_.empty(), "node ", node, ": the stack is empty");
    if (wanted != dtype_) {  // T5
      throw Internal("node ", node, " wants ", DTypeName(wanted), ", the stack holds ", DTypeName(dtype_));
    }
    Tensor value = std::move(values_.back());
    values_.pop_back();
    return value;
  }

  void Close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    values_.clear();
  }

 private:
  void RequireOpen(const std::string& node) const { Require(!closed_, "node ", node, ": the stack has been closed"); }

  std::mutex mutex_;
  DType dtype_ = DType::kInvalid;
  int64_t limit_ = 0;
  std::vector<Tensor> values_;  // GUARDED_BY(mutex_)
  bool closed_ = false;         // GUARDED_BY(mutex_)
};

// Handles of the old ops are references to two strings, those of the new ones resources (Q5).
std::shared_ptr<StackResource> StackIn(KernelContext& context, const std::string& node, bool by_reference) {
  std::string container, name;
  if (by_reference) {
    Variable& variable = context.ref(0);
    std::lock_guard lock(variable.mutex);
    const Tensor& handle = ValueOf(variable, node);
    Require(handle.dtype() == DType::kString && handle.elements() == 2, "node ", node,
            ": a stack handle has two strings, not shape ", Printed(handle.shape()));
    container = handle.data<std::string>()[0];
    name = handle.data<std::string>()[1];
  } else {
    const ResourceHandle& handle = HandleIn(context.input(0), kStackTypeName);
    container = handle.container;
    name = handle.name;
  }
  auto stack = context.step_resources().Find<StackResource>(container, name);
  if (stack == nullptr) throw NotFound("node ", node, ": stack ", name, " is not of this step");
  return stack;
}

// A stack of its own for every execution.
class MakeStackKernel : public Kernel {
 public:
  explicit MakeStackKernel(const Node& node)
      : node_(node.name),
        name_(GetAttrOr<std::string>(node.attrs, "stack_name", "")),
        dtype_(GetAttr<DType>(node.attrs, "elem_type")),
        by_reference_(node.IsOp("Stack")) {
    if (name_.empty()) name_ = node.name;
  }

  void Run(KernelContext& context) override {
    const int64_t limit = by_reference_ ? -1 : LimitIn(context.input(0));
    static std::atomic<int64_t> made{0};
    const std::string name = Str(name_, "_", made.fetch_add(1, std::memory_order_relaxed));
    auto stack = context.step_resources().FindOrCreate<StackResource>(kStackContainer, name);
    stack->Initialize(dtype_, limit < 0 ? std::numeric_limits<int64_t>::max() : limit);
    if (by_reference_) return SetReference(context, name);
    Tensor tensor = Allocate(DType::kResource, Shape());
    ResourceHandle& handle = tensor.mutable_data<ResourceHandle>()[0];
    handle.container = kStackContainer;
    handle.name = name;
    handle.type_name = kStackTypeName;
    context.SetOutput(0, std::move(tensor));
  }

 private:
  int64_t LimitIn(const Tensor& max_size) const {
    Require(max_size.rank() == 0, "node ", node_, ": max_size must be a scalar, not of shape ",
            Printed(max_size.shape()));
    return max_size.data<int32_t>()[0];
  }

  static void SetReference(KernelContext& context, const std::string& name) {
    auto handle = std::make_shared<Variable>();
    handle->dtype = DType::kString;
    handle->declared = Shape{2};
    handle->tensor = MakeVector<std::string>({kStackContainer, name});
    context.SetOutputRef(0, std::move(handle));
  }

  const std::string node_;
  std::string name_;
  const DType dtype_;
  const bool by_reference_;
};

class StackPushKernel : public Kernel {
 public:
  explicit StackPushKernel(const Node& node) : node_(node.name), by_reference_(node.IsOp("StackPush")) {}
  void Run(KernelContext& context) override {
    StackIn(context, node_, by_reference_)->Push(node_, context.input(1));
    context.SetOutput(0, context.input(1));
  }

 private:
  const std::string node_;
  const bool by_reference_;
};

class StackPopKernel : public Kernel {
 public:
  explicit StackPopKernel(const Node& node)
      : node_(node.name), dtype_(GetAttr<DType>(node.attrs, "elem_type")), by_reference_(node.IsOp("StackPop")) {}
  void Run(KernelContext& context) override {
    context.SetOutput(0, StackIn(context, node_, by_reference_)->Pop(node_, dtype_));
  }

 private:
  const std::string node_;
  const DType dtype_;
  const bool by_reference_;
};

class StackCloseKernel : public Kernel {
 public:
  explicit StackCloseKernel(const Node& node) : node_(node.name), by_reference_(node.IsOp("StackClose")) {}
  void Run(KernelContext& context) override { StackIn(context, node_, by_reference_)->Close(); }

 private:
  const std::string node_;
  const bool by_reference_;
};

constexpr KernelRow kRows[] = {
    {"Stack", Make<MakeStackKernel>},       {"StackV2", Make<MakeStackKernel>},
    {"StackPush", Make<StackPushKernel>},   {"StackPushV2", Make<StackPushKernel>},
    {"StackPop", Make<StackPopKernel>},     {"StackPopV2", Make<StackPopKernel>},
    {"StackClose", Make<StackCloseKernel>}, {"StackCloseV2", Make<StackCloseKernel>},
};

}  // namespace

std::span<const KernelRow> DataFlowStack() { return kRows; }

}  // namespace plumb::fast::cpu
