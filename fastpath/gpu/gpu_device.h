// A CUDA card as a device, or an emulated one: kernels of this folder, queued on one stream, and copies on
// others.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fastpath/accelerator/accelerator.h"
#include "fastpath/device/section.h"
#include "fastpath/device/traces_streams.h"
#include "fastpath/gpu/kernel_log.h"
#include "fastpath/gpu/module/open.h"
#include "fastpath/gpu/runtime/cuda_driver.h"

namespace plumb::fast::GPU_NAMESPACE {

class DnnEngines;
class GpuSection;
struct GpuKernelRow;

class GpuDevice : public Accelerator, public TracesStreams, public TakesSections {
 public:
  // /device:GPU:`number` of the driver. `host_kernel` makes the kernels of the host (ByHost).
  GpuDevice(std::shared_ptr<Driver> driver, int number, HostKernelFactory host_kernel);
  ~GpuDevice() override;

  int priority() const override { return 210; }  // W14
  bool HasKernel(const Node& node) const override;
  // Besides what lies there on any accelerator, what the host computes (host_values.h), and the sizes and indices of
  // what lives for one step.
  bool ReadsOnHost(const Node& node, int input) const override;
  bool WritesOnHost(const Node& node, int output) const override;
  Status EndStep(int64_t step_id) override;
  Tensor CopyInPlace(Tensor value) override;
  void BeginTrace(int64_t step_id) override;
  std::vector<DeviceStats> EndTrace(int64_t step_id) override;
  bool TakesInSection(const Node& node) const override;
  bool KnowsInSection(const Node& node) const override;
  std::shared_ptr<Kernel> MakeBring() override;
  std::shared_ptr<Kernel> MakeSection(Section section) override;
  void BeginPlainStep(int64_t step_id) override;
  void EndPlainStep(int64_t step_id) override;
  // Memory, and a stream, of what this thread records, if it does (gpu_recording.h).
  Tensor NewTensor(DType dtype, const Shape& shape) override;
  Driver::Stream& kernels() override;

  // For its sections: whether each kernel of the step is launched by itself; what traces say of one; and from when to
  // when it may be asked for memory.
  bool IsPlainStep(int64_t step_id) const;
  void TraceSection(int64_t step_id, const NodeStats& stats);
  KernelLog& kernel_log() { return kernel_log_; }
  void AddSection(GpuSection* section);
  void RemoveSection(GpuSection* section);

  cudaStream_t stream() { return static_cast<CudaStream&>(kernels()).handle; }
  int number() const { return space().number; }
  Driver& driver() const { return accelerator_driver(); }
  // cuDNN on this device, and what was chosen of it.
  DnnEngines& dnn() { return *dnn_; }

 protected:
  std::shared_ptr<Kernel> MakeOwnKernel(const Node& node) override;
  std::shared_ptr<QueuedStep> NewStep(WorkDone failed) override;
  Examination QueueExamination(const std::shared_ptr<QueuedStep>& step, Driver::Stream& stream) override;
  bool GiveUpMemory() override;

 private:
  // The row of the kernel of this folder that takes the node, or null.
  static const GpuKernelRow* OwnKernel(const Node& node);

  const HostKernelFactory host_kernel_;
  const std::unique_ptr<DnnEngines> dnn_;
  KernelLog kernel_log_;
  mutable Mutex sections_mutex_;
  std::set<GpuSection*> sections_ PLUMB_GUARDED_BY(sections_mutex_);
  mutable Mutex steps_mutex_;
  std::set<int64_t> plain_steps_ PLUMB_GUARDED_BY(steps_mutex_);
  std::map<int64_t, std::vector<NodeStats>> traced_ PLUMB_GUARDED_BY(steps_mutex_);  // of sections, by step
};

// The first `most` devices of this process's runtime. Throws kUnavailable, with the reason, where there is none.
std::vector<std::unique_ptr<Device>> OpenDevices(int most, HostKernelFactory host_kernel);

}  // namespace plumb::fast::GPU_NAMESPACE
