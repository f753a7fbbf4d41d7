// Stacks, in which loops keep values for their gradients (K1).
#include <atomic>
#include <limits>
#include <vector>

#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/device/brought_here.h"
#include "fastpath/device/kernel.h"
#include "fastpath/device/variable_access.h"

namespace plumb::fast::cpu {
namespace {

constexpr const char* kStackContainer = "_stacks";
constexpr const char* kStackTypeName = "Stack";

class StackResource : public Resource {
 public:
  // Once, before anyone else sees the stack. `home`: the resources of its step.
  void Initialize(DType dtype, int64_t limit, const ResourceManager& home) {
    dtype_ = dtype;
    limit_ = limit;
    home_ = &home;
  }
  bool IsOf(const ResourceManager& step_resources) const { return home_ == &step_resources; }

  void Push(const Tensor& value) {
    MutexLock lock(mutex_);
    RequireOpen();
    Require(value.dtype() == dtype_, "the stack holds ", DTypeName(dtype_), ", not ", DTypeName(value.dtype()));
    Require(static_cast<int64_t>(values_.size()) < limit_, "the stack is full, it may hold ", limit_);
    values_.push_back(value);
  }

  Tensor Pop(const std::string& node, DType wanted) {
    MutexLock lock(mutex_);
    RequireOpen();
    Require(!values_.empty(), "the stack is empty");
    if (wanted != dtype_) {  // T5
      throw Internal("node ", node, " wants ", DTypeName(wanted), ", the stack holds ", DTypeName(dtype_));
    }
    Tensor value = std::move(values_.back());
    values_.pop_back();
    return value;
  }

  // An alias among the values is saved as what it shows.
  void Save(const StateWriter& writer) const override {
    MutexLock lock(mutex_);
    writer.PutScalar<int32_t>("dtype", static_cast<int32_t>(dtype_));
    writer.PutScalar<int64_t>("max_size", limit_);
    writer.PutScalar<bool>("closed", closed_);
    writer.PutScalar<int64_t>("size", static_cast<int64_t>(values_.size()));
    for (size_t i = 0; i < values_.size(); ++i) writer.Under(Str(i)).Put("tensor", ToSave(values_[i]));
  }
  void Restore(const StateReader& reader) override {
    MutexLock lock(mutex_);
    dtype_ = static_cast<DType>(reader.GetScalar<int32_t>("dtype"));
    limit_ = reader.GetScalar<int64_t>("max_size");
    closed_ = reader.GetScalar<bool>("closed");
    const auto size = reader.GetScalar<int64_t>("size");
    for (int64_t i = 0; i < size; ++i) values_.push_back(reader.Under(Str(i)).Get("tensor"));
  }

  void Close() {
    MutexLock lock(mutex_);
    closed_ = true;
    values_.clear();
  }

 private:
  void RequireOpen() const PLUMB_REQUIRES(mutex_) { Require(!closed_, "the stack has been closed"); }

  mutable Mutex mutex_;
  DType dtype_ = DType::kInvalid;
  int64_t limit_ = 0;
  const ResourceManager* home_ = nullptr;
  std::vector<Tensor> values_ PLUMB_GUARDED_BY(mutex_);
  bool closed_ PLUMB_GUARDED_BY(mutex_) = false;
};

std::shared_ptr<StackResource> FindStack(KernelContext& context, std::string_view container, std::string_view name) {
  auto stack = context.step_resources().Find<StackResource>({"", container, name});
  if (stack == nullptr) throw NotFound("stack ", name, " is not of this step");
  return stack;
}

// Handles of the old ops are references to two strings, those of the new ones resources (Q5).
std::shared_ptr<StackResource> StackIn(KernelContext& context, const std::string& node, bool by_reference) {
  if (by_reference) {
    const Tensor handle = Unaliased(context.ref(0).Read(node));
    Require(handle.dtype() == DType::kString && handle.elements() == 2, "a stack handle has two strings, not shape ",
            Printed(handle.shape()));
    return FindStack(context, handle.data<std::string>()[0], handle.data<std::string>()[1]);
  }
  const ResourceHandle& handle = HandleIn(context.input(0), kStackTypeName);
  auto known = std::static_pointer_cast<StackResource>(handle.target.lock());
  if (known != nullptr && known->IsOf(context.step_resources()) && !known->is_dropped()) return known;
  return FindStack(context, handle.container, handle.name);
}

// A stack of its own for every execution.
class MakeStackKernel : public Kernel {
 public:
  explicit MakeStackKernel(const Node& node)
      : name_(GetAttrOr<std::string>(node.attrs, "stack_name", "")),
        dtype_(GetAttr<DType>(node.attrs, "elem_type")),
        device_(node.device),
        by_reference_(node.IsOp("Stack")) {
    if (name_.empty()) name_ = node.name;
  }

  void Run(KernelContext& context) override {
    const int64_t limit = by_reference_ ? -1 : LimitIn(context.input(0));
    static std::atomic<int64_t> made{0};
    const std::string name = Str(name_, "_", made.fetch_add(1, std::memory_order_relaxed));
    auto stack = context.step_resources().FindOrCreate<StackResource>({"", kStackContainer, name});
    stack->Initialize(dtype_, limit < 0 ? std::numeric_limits<int64_t>::max() : limit, context.step_resources());
    if (by_reference_) return SetReference(context, name);
    Tensor tensor = Allocate(DType::kResource, Shape());
    ResourceHandle& handle = tensor.mutable_data<ResourceHandle>()[0];
    handle.device = device_;
    handle.container = kStackContainer;
    handle.name = name;
    handle.type_name = kStackTypeName;
    handle.target = stack;
    context.SetOutput(0, std::move(tensor));
  }

 private:
  int64_t LimitIn(const Tensor& max_size) const {
    Require(max_size.rank() == 0, "max_size must be a scalar, not of shape ", Printed(max_size.shape()));
    return max_size.data<int32_t>()[0];
  }

  static void SetReference(KernelContext& context, const std::string& name) {
    auto handle = std::make_shared<Variable>();
    handle->Declare(DType::kString, {2});
    handle->Assign(name, MakeVector<std::string>({kStackContainer, name}), /*keeps_shape=*/true);
    context.SetOutputRef(0, std::move(handle));
  }

  std::string name_;
  const DType dtype_;
  const std::string device_;
  const bool by_reference_;
};

class StackPushKernel : public Kernel {
 public:
  explicit StackPushKernel(const Node& node) : node_(node.name), by_reference_(node.IsOp("StackPush")) {}
  void Run(KernelContext& context) override {
    StackIn(context, node_, by_reference_)->Push(context.input(1));
    context.SetOutput(0, context.input(1));
  }
  bool KeepsAliases() const override { return true; }

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
