#include "fastpath/sim/sim_device.h"

#include <cstring>
#include <utility>

#include "fastpath/accelerator/swap.h"
#include "fastpath/cpu/cpu_device.h"
#include "fastpath/sim/sim_kernel.h"

namespace plumb::fast {
namespace {

// A launch locks the variables that it uses until it has ended. So whoever has locked one finds its value complete, and
// a launch that is queued may be waiting for that lock.
struct SimDeviceMemory : AcceleratorMemory {
  using AcceleratorMemory::AcceleratorMemory;
  Tensor CopyLockedToHost(const Tensor& value) const override {
    Tensor copy(value.dtype(), value.shape());
    const auto stream = driver->NewStream(number);
    driver->CopyToHost(*stream, copy.mutable_raw(), AddressOf(value), value.bytes());
    if (const Status status = driver->Synchronize(*stream); !status.ok()) throw Error(status);
    return copy;
  }
};

bool IsDrawn(uint64_t seed, int number, std::string_view op) {
  uint64_t hash = seed * 0x9e3779b97f4a7c15 + static_cast<uint64_t>(number);
  for (const char c : op) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return (hash >> 20) % 3 == 0;
}

}  // namespace

SimDevice::SimDevice(std::shared_ptr<SimDriver> driver, int number, uint64_t seed)
    : Accelerator(std::make_shared<SimDeviceMemory>(driver, number, "SIM"), "SIM"),
      driver_(std::move(driver)),
      seed_(seed) {}

bool SimDevice::HasKernel(const Node& node) const {
  if (!HoldsValuesOf(node)) return false;
  if (RunsOnEveryDevice(node.op->kind)) return true;
  if (node.op->kind != OpKind::kKernel || FindCpuKernel(node.op->name) == nullptr) return false;
  if (space().number > 0 && IsDrawn(seed_, space().number, node.op->name)) return false;
  return HasDeclaredTypes(node);
}

Tensor SimDevice::CopyInPlace(Tensor value) {
  if (IsOnHost(value)) return CopyOf(value);
  Tensor copy = NewTensor(value.dtype(), value.shape());
  driver().Launch(kernels(), [value, copy](const SimDriver::Follow& follow) {
    const GuardLock guard(value);
    if (value.bytes() > 0) std::memmove(follow(AddressOf(copy)), follow(AddressOf(value)), value.bytes());
    return OkStatus();
  });
  return copy;
}

std::shared_ptr<Kernel> SimDevice::MakeOwnKernel(const Node& node) {
  if (node.op->kind == OpKind::kKernel && !HasKernel(node)) {
    throw NoKernel(Code::kNotFound, "No registered '", node.op->name, "' kernel on ", name(), " for node '", node.name,
                   "'");
  }
  auto kernel = std::make_shared<SimKernel>(MakeCpuKernel(node), node, *this);
  if (PushesToHost(node)) return MakePushToHost(MakeCpuKernel(node), std::move(kernel), node, *this);
  return kernel;
}

}  // namespace plumb::fast
