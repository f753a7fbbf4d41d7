// A kernel of a simulated device: the CPU's kernel, launched on the device's stream, on the device's view of its
// inputs.
#pragma once

#include <memory>
#include <vector>

#include "fastpath/device/async_kernel.h"
#include "fastpath/sim/sim_device.h"

namespace plumb::fast {

class SimKernel : public AsyncKernel {
 public:
  SimKernel(std::shared_ptr<Kernel> kernel, const Node& node, SimDevice& device);

  // Answers when the launch is done: only then the sizes of the outputs are known.
  void Start(AsyncContext& context, Done done) override;
  void Save(const StateWriter& writer) const override { kernel_->Save(writer); }
  void Restore(const StateReader& reader) override { kernel_->Restore(reader); }

 private:
  Status Compute(AsyncContext& context, const Driver::Follow& follow);
  Tensor ViewOf(const Tensor& input, const Driver::Follow& follow) const;
  Tensor Store(const Tensor& output, const Driver::Follow& follow);

  const std::shared_ptr<Kernel> kernel_;
  SimDevice& device_;
  std::vector<bool> writes_on_host_;  // by output
};

}  // namespace plumb::fast
