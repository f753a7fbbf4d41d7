// The host as a device: its memory is everybody's, and copies are none.
#pragma once

#include "fastpath/device/device.h"

namespace plumb::fast {

class CpuDevice : public Device {
 public:
  explicit CpuDevice(int number);

  int priority() const override { return 60; }
  bool HasKernel(const Node& node) const override;
  bool ReadsOnHost(const Node&, int) const override { return true; }
  bool WritesOnHost(const Node&, int) const override { return true; }
  void CopyFromHost(Tensor value, CopyDone done) override { done(OkStatus(), std::move(value)); }
  void CopyToHost(int64_t /*step_id*/, Tensor value, CopyDone done) override { done(OkStatus(), std::move(value)); }
  void Synchronize() override {}

 protected:
  std::shared_ptr<Kernel> MakeOwnKernel(const Node& node) override;
};

// The factory of an op on the CPU, or null.
KernelFactory FindCpuKernel(std::string_view op);
// The kernel of a node on the CPU; throws NoKernel where there is none.
std::shared_ptr<Kernel> MakeCpuKernel(const Node& node);
DeviceSet CpuDevices(int count);

}  // namespace plumb::fast
