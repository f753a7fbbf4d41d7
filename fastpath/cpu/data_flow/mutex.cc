// Mutexes (M1).
#include "fastpath/cpu/data_flow/mutex_object.h"
#include "fastpath/cpu/lib/dispatch.h"
#include "fastpath/cpu/lib/printed.h"
#include "fastpath/cpu/lib/state/named_resource.h"

namespace plumb::fast::cpu {
namespace {

// Without a shared name it names the empty string, as a variable's handle does.
class MakeMutexKernel final : public Kernel {
 public:
  explicit MakeMutexKernel(const Node& node) : handle_(node, ResourceNameOf(node, ""), kMutexTypeName) {}
  void Run(KernelContext& context) override { handle_.Set(context); }

 private:
  const HandleOutput handle_;
};

class LockKernel final : public AsyncKernel {
 public:
  explicit LockKernel(const Node& node) : device_(node.device) {}
  void Start(AsyncContext& context, Done done) override {
    const ResourceHandle& handle = HandleOn(device_, context.input(0), kMutexTypeName);
    const auto mutex = context.resources().FindOrCreate<MutexObject>({handle.device, handle.container, handle.name});
    mutex->Name(handle.name);
    mutex->Ask(context, std::move(done), LockWanted());
  }

 private:
  const std::string device_;
};

class ConsumeLockKernel final : public Kernel {
 public:
  explicit ConsumeLockKernel(const Node&) {}
  void Run(KernelContext& context) override {
    const Tensor& tensor = context.input(0);
    Require(tensor.elements() == 1, "a lock is one element, not of shape ", Printed(tensor.shape()));
    const Variant& held = tensor.data<Variant>()[0];
    const auto* const lock = dynamic_cast<const Lock*>(held.payload.get());
    Require(lock != nullptr, "a lock of a mutex is needed, not a variant of type '", held.type_name, "'");
    Require(lock->GiveUp(), "the lock was given up before");
  }
};

constexpr KernelRow kRows[] = {
    {"MutexV2", Make<MakeMutexKernel>},
    {"MutexLock", Make<LockKernel>},
    {"ConsumeMutexLock", Make<ConsumeLockKernel>},
};

}  // namespace

std::span<const KernelRow> DataFlowMutex() { return kRows; }

}  // namespace plumb::fast::cpu
