// Mutexes (rule M1).
#include "reference/state/mutex.h"

#include "reference/kernel/op_context.h"
#include "reference/kernel/variables.h"
#include "spec/core/variant.h"

namespace plumb::reference {
namespace {

// The lock itself is kept by the step: whoever read one that was written would hold a mutex that another one holds.
struct Lock final : VariantPayload {
  std::string_view type_name() const override { return kLockType; }
  EncodedVariant Encode() const override { throw Unimplemented("a mutex's lock cannot be written"); }
  std::shared_ptr<const VariantPayload> Copy(const std::function<Tensor(const Tensor&)>&) const override {
    return std::make_shared<const Lock>();
  }
};

// Without a shared name it names the empty string, as a variable's handle does.
void MutexV2(OpContext& c) {
  ResourceHandle handle;
  handle.device = c.node.device;
  handle.container = ContainerOf(c.node);
  handle.name = SharedNameOf(c.node);
  handle.type_name = kMutexType;
  c.Output(0, MakeScalar(std::move(handle)));
}

void MutexLock(OpContext& c) {
  const ResourceName name = NameIn(ResourceInput(c, 0, kMutexType));
  Mutex& found = c.resources.FindOrCreate<Mutex>(name);
  // The attempt was made at one that is gone, though there may be another one in its place.
  if (c.resumed && !found.Has(c.execution)) throw NotFound("there is no mutex '", name.name, "'");
  const auto mutex = c.resources.Share<Mutex>(name);
  mutex->name = name.name;
  if (!c.resumed) mutex->Ask(c.execution, LockWanted());
  if (!mutex->IsServed(c.execution)) return c.Park(mutex);
  mutex->Fetch(c.execution);
  Variant lock;
  lock.type_name = kLockType;
  lock.metadata = Str(c.execution);
  lock.payload = std::make_shared<const Lock>();
  c.step.FindOrCreate<HeldLock>({"", kLockContainer, lock.metadata}).Hold(mutex);
  c.Output(0, MakeScalar(std::move(lock)));
}

void ConsumeMutexLock(OpContext& c) {
  Require(c.tensor(0).elements() == 1, "a lock is one element, not of shape ", c.tensor(0).shape().ToString());
  const Variant& lock = c.tensor(0).scalar<Variant>();
  Require(lock.type_name == kLockType, "a lock of a mutex is needed, not a variant of type '", lock.type_name, "'");
  Require(c.step.Remove<HeldLock>({"", kLockContainer, lock.metadata}), "the lock was given up before");
}

constexpr KernelRow kRows[] = {
    {"MutexV2", MutexV2},
    {"MutexLock", MutexLock},
    {"ConsumeMutexLock", ConsumeMutexLock},
};

}  // namespace

namespace topics {
std::span<const KernelRow> DataFlowMutex() { return kRows; }
}  // namespace topics

}  // namespace plumb::reference
