// A CUDA card as a device, or an emulated one: kernels of this folder, queued on one stream, and copies on
// others.
#pragma once

#include <memory>
#include <vector>

#include "fastpath/accelerator/accelerator.h"
#include "fastpath/device/traces_copies.h"
#include "fastpath/gpu/module/open.h"
#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::GPU_NAMESPACE {

class GpuDevice : public Accelerator, public TracesCopies {
 public:
  // /device:GPU:`number` of the driver. `host_kernel` makes the kernels of the host (ByHost).
  GpuDevice(std::shared_ptr<Driver> driver, int number, HostKernelFactory host_kernel);

  int priority() const override { return 210; }  // W14
  bool HasKernel(const Node& node) const override;
  // Besides what lies there on any accelerator, the sizes and indices of what lives for one step.
  bool ReadsOnHost(const Node& node, int input) const override;
  bool WritesOnHost(const Node& node, int output) const override;
  Status EndStep(int64_t step_id) override;
  Tensor CopyInPlace(Tensor value) override;
  void BeginTrace(int64_t step_id) override;
  std::vector<DeviceStats> EndTrace(int64_t step_id) override;

  cudaStream_t stream() { return static_cast<CudaStream&>(kernels()).handle; }
  int number() const { return space().number; }
  Driver& driver() const { return accelerator_driver(); }

 protected:
  std::shared_ptr<Kernel> MakeOwnKernel(const Node& node) override;
  std::shared_ptr<QueuedStep> NewStep(WorkDone failed) override;
  Examination QueueExamination(const std::shared_ptr<QueuedStep>& step, Driver::Stream& stream) override;

 private:
  const HostKernelFactory host_kernel_;
};

// The first `most` devices of this process's runtime. Throws kUnavailable, with the reason, where there is none.
std::vector<std::unique_ptr<Device>> OpenDevices(int most, HostKernelFactory host_kernel);

}  // namespace plumb::fast::GPU_NAMESPACE
