// Inside a simulated device: its second mapping, which its kernels follow.
#pragma once

#include "fastpath/memory/inside.h"
#include "fastpath/sim/sim_device.h"

namespace plumb::fast {

// For a launch: `follow` is the driver's, and outlives this.
class SimInside : public Inside {
 public:
  SimInside(SimDevice& device, const SimDriver::Follow& follow) : device_(device), follow_(follow) {}

  Tensor New(DType dtype, const Shape& shape) const override;
  bool IsHere(const Tensor& held) const override;
  Tensor Seen(const Tensor& held) const override;
  Tensor Held(const Tensor& seen) const override;

 private:
  SimDevice& device_;
  const SimDriver::Follow& follow_;
};

}  // namespace plumb::fast
