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

  // Answers as soon as the launch is queued, where the row says from what lies on the host how large the outputs will
  // be. Otherwise, and where an output goes to the host, it answers when the launch has ended.
  void Start(AsyncContext& context, Done done) override;
  void Save(const StateWriter& writer) const override { kernel_->Save(writer); }
  void Restore(const StateReader& reader) override { kernel_->Restore(reader); }

 private:
  struct Launch;
  bool ReserveOutputs(Launch& launch) const;
  // `ended` is called on the device's thread.
  void Queue(const std::shared_ptr<Launch>& launch, Done ended);
  Status Compute(Launch& launch, const Driver::Follow& follow);
  Tensor ViewOf(const Tensor& input, const Driver::Follow& follow) const;
  void Store(const Tensor& output, Launch& launch, int i, const Driver::Follow& follow);

  const std::shared_ptr<Kernel> kernel_;
  const Node node_;
  SimDevice& device_;
  std::vector<bool> writes_on_host_;  // by output
  bool row_says_shapes_;
};

}  // namespace plumb::fast
