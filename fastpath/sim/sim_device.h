// A simulated accelerator: a device that differs from the host in all that matters. Its memory is not the host's, its
// work is done later, in order, by somebody else, and it lacks kernels. Inside, the kernels of the CPU run.
#pragma once

#include <memory>

#include "fastpath/accelerator/accelerator.h"
#include "fastpath/sim/sim_driver.h"

namespace plumb::fast {

class SimDevice : public Accelerator {
 public:
  // /device:SIM:`number`. Of the devices of a driver only the first has all kernels; each other one lacks a third of
  // the ops, drawn from the seed.
  SimDevice(std::shared_ptr<SimDriver> driver, int number, uint64_t seed);

  int priority() const override { return 200; }
  bool HasKernel(const Node& node) const override;
  Tensor CopyInPlace(Tensor value) override;
  SimDriver& driver() const { return *driver_; }

 protected:
  std::shared_ptr<Kernel> MakeOwnKernel(const Node& node) override;

 private:
  const std::shared_ptr<SimDriver> driver_;
  const uint64_t seed_;
};

}  // namespace plumb::fast
