// A kernel of a simulated device: the CPU's kernel, launched on the device's stream. It runs inside the device
// (fastpath/memory/inside.h): its inputs are shown to it, and what it allocates is the device's memory.
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
  // be. Otherwise it answers when the launch has ended; so it does where an output goes to the host, where an input
  // leads to a variable or another resource, which others look at on the host, and where an input is an alias, which
  // the kernel may hand on.
  void Start(AsyncContext& context, Done done) override;
  void Save(const StateWriter& writer) const override { kernel_->Save(writer); }
  void Restore(const StateReader& reader) override { kernel_->Restore(reader); }

 private:
  struct Launch;
  bool ReserveOutputs(Launch& launch) const;
  bool HasRoomFor(const std::vector<PartialShape>& shapes, std::vector<Entry>* outputs) const;
  // `ended` is called on the device's thread.
  void Queue(const std::shared_ptr<Launch>& launch, Done ended);
  Status Compute(Launch& launch, const SimDriver::Follow& follow);
  void Run(Launch& launch);
  void Store(Entry& output, Launch& launch, int i);

  const std::shared_ptr<Kernel> kernel_;
  const Node node_;
  SimDevice& device_;
  std::vector<bool> writes_on_host_;  // by output
  bool is_known_early_;               // how large the outputs will be, where no input is an alias
};

}  // namespace plumb::fast
