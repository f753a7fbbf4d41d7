#include "fastpath/cpu/cpu_device.h"

#include <algorithm>

#include "spec/ops/known/known_ops.h"
#include "spec/validate/kernel_types.h"

namespace plumb::fast {

CpuDevice::CpuDevice(int number) : Device(Str("/job:localhost/replica:0/task:0/device:CPU:", number), nullptr) {}

bool CpuDevice::HasKernel(const Node& node) const {
  if (RunsOnEveryDevice(node.op->kind)) return true;
  return FindCpuKernel(node.op->name) != nullptr && HasDeclaredTypes(node);
}

std::shared_ptr<Kernel> CpuDevice::MakeOwnKernel(const Node& node) { return MakeCpuKernel(node); }

std::shared_ptr<Kernel> MakeCpuKernel(const Node& node) {
  const KernelFactory make = FindCpuKernel(node.op->name);
  if (make == nullptr) {
    throw NoKernel(Code::kNotFound, "No registered '", node.op->name, "' kernel on the CPU for node '", node.name, "'",
                   InsteadOf(node.op->name));
  }
  CheckKernelTypes(node);
  return make(node);
}

DeviceSet CpuDevices(int count) {
  DeviceSet devices;
  for (int i = 0; i < std::max(1, count); ++i) devices.Add(std::make_unique<CpuDevice>(i));
  return devices;
}

}  // namespace plumb::fast
